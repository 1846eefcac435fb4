import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite("The files that stored results name")
struct StoredFileTests {
    @Test("A stored result names only files in its folder that no link leads to")
    func ownFiles() throws {
        let folder = TemporaryFolder()
        let base = folder.path
        let run = base + "/run"
        let files = FileManager.default
        try files.createDirectory(atPath: run + "/captures", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: run + "/captures/a.pcapng"))
        try Data([1]).write(to: URL(filePath: base + "/secret"))
        #expect(symlink(base + "/secret", run + "/captures/link.pcapng") == 0)
        #expect(symlink(base, run + "/up") == 0)
        #expect(StoredFile.path(of: "captures/a.pcapng", in: run) == run + "/captures/a.pcapng")
        for name in [
            "/etc/passwd", "../secret", "captures/../../secret", "captures/link.pcapng",
            "up/secret", "/proc/self/environ", ".", "",
        ] {
            #expect(StoredFile.path(of: name, in: run) == nil, "\(name)")
        }
    }
}
