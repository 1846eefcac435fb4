import Testing
import Wire

@Suite("Values and paths")
struct ValueTests {
    private let value: Value = ["a": ["b": [1, ["c": "x"]]], "n": .null]

    private func at(_ path: String) -> Value? {
        FieldPath(path).flatMap { value[$0] }
    }

    @Test("A path finds members and elements and nothing else")
    func lookUp() {
        #expect(at("a.b[1].c") == "x")
        #expect(at("a.b[0]") == 1)
        #expect(at("a.b[2]") == nil)
        #expect(at("a.c") == nil)
        #expect(at("a.b.c") == nil)
        #expect(at("a[0]") == nil)
        #expect(at("n") == .null)
    }

    @Test("The first of several members of one name is found")
    func duplicates() {
        let twice = Value.object([.init("k", 1), .init("k", 2)])
        #expect(twice["k"] == 1)
    }

    @Test(
        "A path that breaks the grammar is refused",
        arguments: ["", ".", "a.", ".a", "a[", "a[]", "a[x]", "a[-1]", "[0]", "a]", "a[0]b"])
    func badPaths(text: String) {
        #expect(FieldPath(text) == nil)
    }

    @Test("A path is written as it was read", arguments: ["a", "a.b", "a[0][1].b", "sdl.version"])
    func pathText(text: String) {
        #expect(FieldPath(text)?.description == text)
    }

    @Test("Setting replaces, adds and appends, and removing deletes")
    func setting() throws {
        let path = try #require(FieldPath("a.b[1].c"))
        #expect(value.setting(path, to: "y")[path] == "y")
        let new = try #require(FieldPath("x.y"))
        #expect(value.setting(new, to: 5)[new] == 5)
        let end = try #require(FieldPath("a.b[2]"))
        #expect(value.setting(end, to: 5)[end] == 5)
        let beyond = try #require(FieldPath("a.b[9]"))
        #expect(value.setting(beyond, to: 5) == value)
        let member = try #require(FieldPath("a.b"))
        #expect(value.removing(member)[member] == nil)
    }
}

@Suite("Byte reader")
struct ByteReaderTests {
    @Test("Numbers are read most significant byte first and advance the reader")
    func numbers() throws {
        let bytes: [UInt8] = Array(1...15)
        var reader = ByteReader(bytes.span.bytes, unit: "u")
        #expect(try reader.uint8() == 1)
        #expect(try reader.uint16() == 0x0203)
        #expect(try reader.uint32() == 0x0405_0607)
        #expect(try reader.uint64() == 0x0809_0A0B_0C0D_0E0F)
        #expect(reader.remaining == 0)
    }

    @Test("Reading past the end names the field and the offset and does not advance the reader")
    func truncated() {
        let bytes: [UInt8] = [1, 2, 3]
        var reader = ByteReader(bytes.span.bytes, unit: "u")
        do throws(DecodeError) {
            try reader.skip(2)
            _ = try reader.uint16("f")
            Issue.record("no error")
        } catch {
            #expect(error.code == .truncated)
            #expect(error.unit == "u.f")
            #expect(error.offset == 2)
        }
        #expect(reader.offset == 2)
    }

    @Test("A negative count is a bad length, not a crash")
    func negative() {
        let bytes: [UInt8] = [1, 2, 3]
        var reader = ByteReader(bytes.span.bytes, unit: "u")
        do throws(DecodeError) {
            try reader.skip(-1)
            Issue.record("no error")
        } catch {
            #expect(error.code == .badLength)
        }
    }
}
