import Kaitai
import TestSupport
import Testing
import YAML

/// Descriptions and bytes that are hostile or damaged.
@Suite("Hostile descriptions and bytes")
struct HostileInputTests {
    private static func description(_ text: String) throws -> KaitaiDescription {
        try KaitaiDescription.load(path: "top.ksy") { path throws(InvalidInput) in
            if path == "top.ksy" { return text }
            throw InvalidInput([Diagnostic("unreadable-file", "there is none", at: nil)])
        }
    }

    private static func error(
        of text: String, on bytes: [UInt8], limits: KaitaiLimits = KaitaiLimits(),
        asking field: String? = nil
    ) throws -> KaitaiError? {
        var reading = KaitaiReading(bytes, by: try description(text), limits: limits)
        do {
            try reading.read()
            if let field { _ = try reading.value(of: field, in: reading.root) }
            return nil
        } catch {
            return error
        }
    }

    @Test("Recursive objects reach a limit")
    func depth() throws {
        let found = try Self.error(
            of: "{meta: {id: a}, seq: [{id: next, type: a}]}", on: [])
        #expect(found?.code == .limit)
    }

    @Test("Elements without bytes reach a limit")
    func emptyElements() throws {
        let toEnd = "{meta: {id: a}, seq: [{id: x, type: e, repeat: eos}], types: {e: {}}}"
        var limits = KaitaiLimits()
        limits.elements = 1_000
        #expect(try Self.error(of: toEnd, on: [1], limits: limits)?.code == .limit)
        let counted =
            "{meta: {id: a}, seq: [{id: x, type: e, repeat: expr, repeat-expr: 0xffffffffffff}], types: {e: {}}}"
        #expect(try Self.error(of: counted, on: [1], limits: limits)?.code == .limit)
        let until =
            "{meta: {id: a}, seq: [{id: x, size: 0, repeat: until, repeat-until: 'false'}]}"
        #expect(try Self.error(of: until, on: [1], limits: limits)?.code == .limit)
    }

    @Test("Computed fields that depend on themselves are refused")
    func cycle() throws {
        let text =
            "{meta: {id: a}, instances: {x: {value: y + 1}, y: {value: x + 1}}}"
        #expect(try Self.error(of: text, on: [], asking: "x")?.code == .cycle)
    }

    @Test("Computed fields that need a new object each time reach a limit")
    func endlessObjects() throws {
        let text =
            "{meta: {id: a}, types: {p: {instances: {next: {pos: 0, type: p}, n: {value: next.n + 1}}}}, instances: {first: {pos: 0, type: p}, n: {value: first.n}}}"
        #expect(try Self.error(of: text, on: [0], asking: "n")?.code == .limit)
    }

    @Test("Impossible sizes, shifts, divisions and positions are errors")
    func arithmetic() throws {
        let cases: [(String, KaitaiError.Code)] = [
            ("1 / (1 - 1)", .division), ("1 % (1 - 1)", .division), ("1 << 200", .overflow),
            ("1 << (0 - 1)", .overflow), ("1 >> (0 - 1)", .overflow),
            ("0x7fffffffffffffff * 0x7fffffffffffffff * 0x7fffffffffffffff", .overflow),
            ("'a'.substring(0, 2).length", .index), ("'x'.to_i", .conversion),
            ("'10'.to_i(99)", .conversion), ("[1, 2][2]", .index), ("[1, 2][-1]", .index),
            ("(1e300 * 1e300).to_i", .overflow),
            ("[0].as<bytes>.to_s('NONE').length", .unsupported),
        ]
        for (expression, code) in cases {
            let text = """
                meta: {id: a}
                instances:
                  x:
                    value: "\(expression)"
                """
            #expect(
                try Self.error(of: text, on: [], asking: "x")?.code == code, "\(expression)")
        }
        let size = "{meta: {id: a}, seq: [{id: x, size: '%'}]}"
        for (value, code) in [
            ("0 - 1", KaitaiError.Code.negative), ("0xffffffffffffffffff", .overflow),
            ("0x7fffffffffffffff", .endOfStream),
        ] {
            #expect(
                try Self.error(of: size.replacing("%", with: value), on: [1])?.code == code)
        }
        let place = "{meta: {id: a}, instances: {x: {pos: '0x7fffffffffffffff', type: u1}}}"
        #expect(try Self.error(of: place, on: [1], asking: "x")?.code == .overflow)
        let beyond = "{meta: {id: a}, instances: {x: {pos: 100, size: 0}}}"
        #expect(try Self.error(of: beyond, on: [1], asking: "x") == nil)
    }

    @Test("A small stream that decompresses to a large one is refused")
    func compression() throws {
        var limits = KaitaiLimits()
        limits.bytesProduced = 10
        // 64 zeros, compressed.
        let bytes: [UInt8] = [
            0x78, 0xDA, 0x63, 0x60, 0xA0, 0x0C, 0x00, 0x00, 0x00, 0x40, 0x00, 0x01,
        ]
        let text = "{meta: {id: a}, seq: [{id: x, size-eos: true, process: zlib}]}"
        #expect(try Self.error(of: text, on: bytes, limits: limits)?.code == .limit)
        #expect(try Self.error(of: text, on: bytes) == nil)
        #expect(try Self.error(of: text, on: Array(bytes.dropLast(3)))?.code == .compression)
    }

    @Test("Expressions that are nested or chained too deeply are refused")
    func expressions() throws {
        for text in [
            String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000),
            String(repeating: "-", count: 5000) + "1",
            String(repeating: "not ", count: 2000) + "true",
            String(repeating: "1 + ", count: 2400) + "1",
            "1" + String(repeating: "[0]", count: 3000), String(repeating: "1 ? 1 : ", count: 900),
            String(repeating: "[", count: 5000),
        ] {
            #expect(throws: InvalidInput.self) {
                try Self.description("{meta: {id: a}, instances: {x: {value: '\(text)'}}}")
            }
        }
    }

    @Test(
        "Reading damaged inputs and descriptions terminates, with or without an error",
        .enabled(
            if: PublicSpecifications.folder != nil, "../shared/kaitai is not next to the project"),
        arguments: [1, 2, 3] as [UInt64])
    func damage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var limits = KaitaiLimits()
        limits.steps = 20_000
        limits.elements = 2_000
        limits.objects = 500
        limits.bytesRead = 1 << 20
        limits.bytesProduced = 1 << 16
        let names = PublicSpecifications.files(in: "tests/spec/ks", ending: ".kst")
        for name in names {
            let specification = try PublicSpecifications.Specification(
                name: String(name.dropLast(4)))
            let path = "\(PublicSpecifications.path)/tests/formats/\(specification.id).ksy"
            let text = Self.damaged(try SourceFile.text(path: path), &random)
            for candidate in [text, nil] {
                guard
                    let description = try? KaitaiDescription.load(
                        path: path, searchPaths: PublicSpecifications.searchPaths,
                        source: { other throws(InvalidInput) in
                            if let candidate, other.hasSuffix("\(specification.id).ksy") {
                                return candidate
                            }
                            return try KaitaiDescription.text(path: other)
                        })
                else { continue }
                let bytes = Self.damaged(specification.data, &random)
                var reading = KaitaiReading(
                    bytes, by: description, limits: limits, keepsTrailingBytes: true)
                try? reading.read()
                Self.askAll(&reading)
                _ = try? description.encode(
                    reading.content, isStrict: false, limits: limits)
            }
        }
    }

    /// Queries every instance of the objects that were read.
    private static func askAll(_ reading: inout KaitaiReading) {
        var pending = [reading.root]
        var requested = 0
        while let object = pending.popLast(), requested < 200 {
            requested += 1
            for name in reading.fieldNames(of: object) + reading.instanceNames(of: object) {
                guard let value = try? reading.value(of: name, in: object) else { continue }
                _ = reading.range(of: name, in: object)
                if case .object(let inner) = value { pending.append(inner) }
                guard case .array(let elements) = value else { continue }
                for case .object(let inner) in elements.prefix(20) { pending.append(inner) }
            }
        }
    }

    private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<4 where !bytes.isEmpty {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                bytes[Int.random(in: bytes.indices, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeLast(Int.random(in: 0...min(4, bytes.count), using: &random))
            default: bytes.insert(0xFF, at: Int.random(in: 0...bytes.count, using: &random))
            }
        }
        return bytes
    }

    private static func damaged(_ text: String, _ random: inout SeededGenerator) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let words = [
            "u4le", "-1", "_parent", "_io.size", "1 << 90", "eos", "str", "b64", "_", "99",
        ]
        let place = Int.random(in: lines.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: lines.remove(at: place)
        case 1: lines.insert(lines[place], at: place)
        default:
            let key = lines[place].prefix { $0 != ":" }
            lines[place] = "\(key): \(words.randomElement(using: &random) ?? "")"[...]
        }
        return lines.joined(separator: "\n")
    }
}
