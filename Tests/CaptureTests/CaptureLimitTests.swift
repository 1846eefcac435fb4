import Capture
import Testing

@Suite("Limits for hostile captures")
struct CaptureLimitTests {
    /// A pcapng section header, and an interface description without options.
    private static let section: [UInt8] =
        [0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0]
        + [UInt8](repeating: 0xFF, count: 8) + [28, 0, 0, 0]
    private static let interface: [UInt8] = [
        1, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0,
    ]

    private func error(_ bytes: [UInt8]) throws -> CaptureError? {
        let temporary = try TemporaryFile(bytes)
        do throws(CaptureError) {
            var file = try CaptureFile(path: temporary.path)
            while try file.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    private func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(bytes.count * count)
        for _ in 0..<count { all += bytes }
        return all
    }

    @Test("Interfaces beyond the limit are an error that names it and the option")
    func interfaces() throws {
        let limit = CaptureLimit.interfaces.standard
        #expect(try error(Self.section + repeated(Self.interface, limit)) == nil)
        let found = try #require(
            try error(gzip(Self.section + repeated(Self.interface, limit + 1))))
        #expect(found.code == .limit)
        #expect(found.detail.contains("65536 interfaces"))
        #expect(found.detail.contains("--limit interfaces="))
    }

    @Test("Comments of a file are kept up to a limit")
    func comments() throws {
        let text = [UInt8](repeating: 0x61, count: 60_000)
        let body =
            [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
            + [1, 0, UInt8(60_000 & 0xFF), UInt8(60_000 >> 8)] + text
        let length = UInt32(body.count + 12)
        let size = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        let block = [0x0A, 0x0D, 0x0D, 0x0A] + size + body + size
        let found = try #require(try error(gzip(repeated(block, 300))))
        #expect(found.code == .limit)
        #expect(found.detail.contains("--limit metadata="))
    }
}
