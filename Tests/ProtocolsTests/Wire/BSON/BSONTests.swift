import SDL
import TestSupport
import Testing
import Wire

@Suite("BSON")
struct BSONTests {
    /// The parameters `{hashId: 65537}` as an app sends them.
    private static let endService: [UInt8] =
        [0x11, 0, 0, 0, 0x10] + Array("hashId".utf8) + [0, 1, 0, 1, 0, 0]

    @Test("An int32 element is read and written as on the wire")
    func int32() throws {
        let document = try BSONDocument(Self.endService.span.bytes)
        #expect(document.value == ["hashId": 65537])
        #expect(document.types == [.int32])
        #expect((["hashId": 65537] as Value).bson == Self.endService)
    }

    @Test("An integer is written as int64 if the table says so or if it has to be")
    func int64() throws {
        let bytes = (["mtu": 131_072] as Value).bson(integerTypes: ["mtu": .int64])
        #expect(Array(bytes[0..<9]) == [0x12, 0, 0, 0, 0x12, 0x6D, 0x74, 0x75, 0])
        #expect(try BSONDocument(bytes.span.bytes).types == [.int64])
        let large = (["n": .integer(1 << 40)] as Value).bson
        #expect(try BSONDocument(large.span.bytes).types == [.int64])
    }

    @Test("All element types read back in order")
    func roundTrip() throws {
        let value: Value = [
            "s": "é", "i": -1, "d": 1.5, "b": true, "n": .null, "x": .bytes([1, 2]),
            "a": ["p", 2, ["q": []]], "o": ["k": ["l": 7]], "": "",
        ]
        let bytes = value.bson
        #expect(try Value(bson: bytes.span.bytes) == value)
        #expect(try Value(bson: (["s": "a\u{0}b"] as Value).bson.span.bytes) == ["s": "a\u{0}b"])
    }

    @Test("Duplicate members are kept")
    func duplicates() throws {
        let value = Value.object([.init("k", 1), .init("k", 2)])
        #expect(try Value(bson: value.bson.span.bytes) == value)
    }

    @Test("Lengths that do not match the bytes are refused")
    func lengths() {
        for bytes: [UInt8] in [
            [], [5, 0, 0, 0], [5, 0, 0, 0, 1], [6, 0, 0, 0, 0], [4, 0, 0, 0, 0],
            [14, 0, 0, 0, 2, 0x61, 0, 9, 0, 0, 0, 0x41, 0, 0], Self.endService + [0],
            Array(Self.endService.dropLast()),
        ] {
            #expect(throws: DecodeError.self, "\(bytes)") { try BSONDocument(bytes.span.bytes) }
        }
    }

    @Test("A string that is not UTF-8 is refused as bad text")
    func notUTF8() {
        let bytes: [UInt8] = [14, 0, 0, 0, 2, 0x61, 0, 2, 0, 0, 0, 0xFF, 0, 0]
        do throws(DecodeError) {
            _ = try BSONDocument(bytes.span.bytes)
            Issue.record("no error")
        } catch {
            #expect(error.code == .badText)
        }
    }

    @Test("An element type that SDL does not use is refused with its code")
    func otherTypes() {
        // A UTC date, type 9.
        let bytes: [UInt8] = [16, 0, 0, 0, 9, 0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        do throws(DecodeError) {
            _ = try BSONDocument(bytes.span.bytes)
            Issue.record("no error")
        } catch {
            #expect(error.code == .badValue)
            #expect(error.detail.contains("9"))
        }
    }

    @Test("Deep nesting is refused before it can exhaust the stack", arguments: [40, 9000])
    func depth(levels: Int) {
        var bytes: [UInt8] = [5, 0, 0, 0, 0]
        for _ in 0..<levels {
            let length = UInt32(bytes.count + 8)
            let prefix = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * UInt32($0))) }
            bytes = prefix + [3, 0x61, 0] + bytes + [0]
        }
        do throws(DecodeError) {
            _ = try BSONDocument(bytes.span.bytes)
            Issue.record("no error")
        } catch {
            #expect(error.code == .limit)
        }
    }

    @Test("Plain BSON decodes, and its integers are read in place")
    func plain() throws {
        var generator = SeededGenerator(seed: 12)
        let numbers: [Value] = [0, -1, 131_072, .integer(1 << 40), .integer(.min)]
        let others: [Value] = ["a", "", true, "é", 1.5, .null, [1]]
        let (name, types) = (["mtu", "mt", "mtu1", ""], ["mtu": BSONDocument.ElementType.int64])
        var plainCount = 0
        for round in 0..<4000 {
            let members = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                Value.Member(
                    name.randomElement(using: &generator) ?? "",
                    (Bool.random(using: &generator) ? numbers : others)
                        .randomElement(using: &generator) ?? .null)
            }
            var bytes = Value.object(members).bson(integerTypes: types)
            if round.isMultiple(of: 2) {
                bytes[Int.random(in: bytes.indices, using: &generator)] =
                    UInt8.random(in: .min ... .max, using: &generator)
            }
            guard bytes.span.bytes.isPlainBSON else { continue }
            plainCount += 1
            let value = try BSONDocument(bytes.span.bytes).value
            #expect(bytes.span.bytes.plainBSONInteger("mtu") == value["mtu"]?.integerValue)
        }
        #expect(plainCount > 1000)
    }

    @Test("Arbitrary and damaged bytes never crash the reader")
    func arbitraryBytes() {
        var generator = SeededGenerator(seed: 11)
        let whole = (["a": ["b", 1, ["c": true]], "d": 2.5, "e": .bytes([1])] as Value).bson
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    UInt8.random(in: .min ... .max, using: &generator)
            }
            _ = try? BSONDocument(bytes.span.bytes)
            let noise = generator.bytes(Int.random(in: 0...40, using: &generator))
            _ = try? BSONDocument(noise.span.bytes)
        }
    }
}
