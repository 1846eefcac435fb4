import Capture
import Glibc
import Testing

@Suite("Captures kept in a temporary file")
struct CaptureSpoolTests {
    @Test("A copy has the same bytes, and is gone when it is not needed any more")
    func copying() throws {
        let file = gzip(pcapFile([Record([1, 2, 3])]))
        let temporary = try TemporaryFile(file)
        var spool: CaptureSpool? = try CaptureSpool(copying: temporary.path, following: nil)
        let path = try #require(spool?.path)
        #expect(Reading(path).records.map(\.bytes) == [[1, 2, 3]])
        spool = nil
        #expect(access(path, F_OK) != 0)
    }

    @Test("Joined captures have all packets in order, with their link types, and damage is told")
    func joining() throws {
        let first = pcapFile([Record([1], timestamp: 10), Record([1], timestamp: 30)])
        let second = pcapFile(
            [Record([2], timestamp: 20), Record([2], timestamp: 40)], linkType: 101)
        let files = try [first, Array(second.dropLast())].map { try TemporaryFile($0) }
        var damages: [CaptureError] = []
        let spool = try CaptureSpool(joining: files.map(\.path), damages: &damages)
        let reading = Reading(spool.path)
        #expect(reading.error == nil)
        #expect(reading.records.map(\.bytes) == [[1], [2], [1]])
        #expect(reading.records.map(\.timestamp) == [10, 20, 30])
        #expect(reading.records.map(\.linkType) == [.ethernet, .raw, .ethernet])
        #expect(damages.map(\.code) == [.truncated])
    }
}
