import EchoProtocol
import Foundation
import Glibc
import TestSupport
import Testing
import Wire

/// A protocol that no source of `conform` names.
///
/// Its codec, its peer and its suite are in `Tests/Echo`, as the tutorial shows them.
@Suite("A protocol that a user adds")
struct EchoTests {
    private static let folder = ConformProgram.root + "/Tests/Echo"
    private static let hasPython = access("/usr/bin/python3", X_OK) == 0

    private func conform(_ arguments: [String]) throws -> ConformProgram.Outcome {
        try ConformProgram.Started(
            ["\(ConformProgram.folder)/conform-echo"] + arguments, in: Self.folder
        ).wait()
    }

    @Test(
        "The suite of an added protocol runs live, and its captures give the same verdicts",
        .enabled(if: hasPython, "python3 is missing"))
    func runs() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try conform(
            ["run", "echo.yaml", "--device", "device.yaml", "--reports", reports])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let live = try Results(reports)
        #expect(live.verdicts.count == 3 && live.captures.count == 3)
        let check = try conform(
            ["check", "echo.yaml", "--reports", reports + "/checked"]
                + live.captures.map { "\(reports)/\($0)" })
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(try Results(reports + "/checked").verdicts == live.verdicts)
        let capture = try #require(live.captures.first)
        let messages = try conform(["decode", "\(reports)/\(capture)", "--filter", "echo"])
        #expect(messages.output.contains("echo.request"), "\(messages.output)")
        // A program without the protocol sees bytes.
        let plain = try ConformProgram.run(["decode", "\(reports)/\(capture)"])
        #expect(!plain.output.contains("echo.request") && plain.status == 0, "\(plain.output)")
    }

    @Test(
        "Each mistake of a device fails its requirement",
        .enabled(if: hasPython, "python3 is missing"),
        arguments: [
            ("counts-from-zero", "ECHO-1"), ("asks-all-at-once", "ECHO-2"),
            ("takes-any-number", "ECHO-3"),
        ])
    func finds(mistake: String, requirement: String) throws {
        let folder = TemporaryFolder.lasting()
        let reports = folder + "/run"
        let sound = try String(contentsOfFile: Self.folder + "/device.yaml", encoding: .utf8)
        let profile = sound.replacing("device.py", with: "\(Self.folder)/device.py")
            .replacing("\"${port}\"", with: "\"${port}\", \(mistake)")
        try profile.write(toFile: folder + "/device.yaml", atomically: true, encoding: .utf8)
        let run = try conform(
            ["run", "echo.yaml", "--device", folder + "/device.yaml", "--reports", reports])
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        #expect(try Results(reports).failedRequirements.contains(requirement), "\(run.output)")
    }

    @Test("Reference, schema and lint include the protocol; without it, its suite is refused")
    func isKnown() throws {
        let fields = try conform(["fields", "echo.request"])
        #expect(fields.output.contains("echo.number"), "\(fields.output)\(fields.errors)")
        let schema = try conform(["schema", "suite"])
        #expect(schema.output.contains("echo.server") && schema.output.contains("echo.answer"))
        #expect(try conform(["lint", "echo.yaml", "--strict"]).status == 0)
        let plain = try ConformProgram.run(["lint", Self.folder + "/echo.yaml"])
        #expect(plain.status == 2)
        #expect(plain.output.contains("there is no kind of peer \"echo.server\""))
    }

    @Test("No file under Sources names the protocol")
    func isNowhereElse() throws {
        let sources = ConformProgram.root + "/Sources"
        let files = try #require(FileManager.default.enumerator(atPath: sources))
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
            for name in ["EchoProtocol", "echo.server", "echo.request"] {
                #expect(!text.contains(name), "\(file)")
            }
        }
    }

    @Test("The tutorial shows the files as they are")
    func tutorial() throws {
        let page = try String(
            contentsOfFile: ConformProgram.root + "/Documentation/add-a-protocol.md",
            encoding: .utf8)
        let files = try #require(FileManager.default.enumerator(atPath: Self.folder))
        let texts = try files.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".yaml") }
            .map { try String(contentsOfFile: "\(Self.folder)/\($0)", encoding: .utf8) }
        let blocks = page.components(separatedBy: "\n```").filter {
            $0.hasPrefix("swift\n") || $0.hasPrefix("yaml\n")
        }.map { $0.drop { $0 != "\n" }.dropFirst() }
        #expect(blocks.count >= 9)
        for block in blocks { #expect(texts.contains { $0.contains(block) }, "\(block)") }
    }

    @Test("Encoded messages are decoded again, in whatever pieces they come")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let sent = try (0..<Int.random(in: 1...5, using: &random)).map { _ in
                let text = random.bytes(Int.random(in: 0...255, using: &random))
                return try #require(
                    EchoMessage(
                        .allCases.randomElement(using: &random) ?? .request,
                        .random(in: .min ... .max, using: &random), text))
            }
            var rest = sent.flatMap(\.bytes)[...]
            var decoder = Self.decoder()
            var (offset, messages) = (UInt64(0), [StreamMessage]())
            while !rest.isEmpty {
                let piece = Array(rest.prefix(Int.random(in: 1...300, using: &random)))
                rest = rest.dropFirst(piece.count)
                decoder.consume(piece.span.bytes, from: .first, at: offset, into: &messages)
                offset += UInt64(piece.count)
            }
            decoder.finish(.first, .closed, into: &messages)
            #expect(messages.map { $0.content as? EchoMessage } == sent)
        }
    }

    @Test("Random bytes are skipped, each once")
    func randomBytes() {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 1...400, using: &random)).map { _ -> UInt8 in
                let other = UInt8.random(in: .min ... .max, using: &random)
                return [EchoMessage.mark, 1, other].randomElement(using: &random) ?? other
            }
            var decoder = Self.decoder()
            var messages: [StreamMessage] = []
            decoder.consume(bytes.span.bytes, from: .first, at: 0, into: &messages)
            decoder.finish(.first, .closed, into: &messages)
            #expect(messages.flatMap(\.content.bytes) == bytes)
        }
    }

    private static func decoder() -> any ConnectionDecoder {
        EchoProtocol.module.streamProtocols[0].makeDecoder(DissectionStack([]))
    }
}
