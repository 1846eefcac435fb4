import Capture
import Glibc
import Testing

@Suite("Captures kept in a temporary file")
struct CaptureSpoolTests {
    @Test("A copy has the same bytes, and no name that could outlive the program")
    func copying() throws {
        let file = gzip(pcapFile([Record([1, 2, 3])]))
        let temporary = try TemporaryFile(file)
        let spool = try CaptureSpool(copying: temporary.path, following: nil)
        for _ in 1...2 { #expect(Reading(spool.path).records.map(\.bytes) == [[1, 2, 3]]) }
        var status = stat()
        withExtendedLifetime(spool) { #expect(stat(spool.path, &status) == 0) }
        #expect(status.st_nlink == 0)
    }

    @Test("Joined captures have all packets in order, with their link types, and damage is told")
    func joining() throws {
        let first = pcapFile([Record([1], timestamp: 10), Record([1], timestamp: 30)])
        let second = pcapFile(
            [Record([2], timestamp: 20), Record([2], timestamp: 40)], linkType: 101)
        let files = try [first, Array(second.dropLast())].map { try TemporaryFile($0) }
        var damages: [CaptureError] = []
        let spool = try CaptureSpool(joining: files.map(\.path), damages: &damages)
        let reading = withExtendedLifetime(spool) { Reading(spool.path) }
        #expect(reading.error == nil)
        #expect(reading.records.map(\.bytes) == [[1], [2], [1]])
        #expect(reading.records.map(\.timestamp) == [10, 20, 30])
        #expect(reading.records.map(\.linkType) == [.ethernet, .raw, .ethernet])
        #expect(damages.map(\.code) == [.truncated])
    }
}
