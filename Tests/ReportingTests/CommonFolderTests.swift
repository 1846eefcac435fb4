import Testing

@testable import Reporting

@Suite("The folder that captures have in common")
struct CommonFolderTests {
    @Test(
        "It is the longest one; a single file and files without a common folder have none",
        arguments: [
            (["a/b/c.pcap", "a/b/d.pcap"], "a/b/"), (["a/b/c.pcap", "a/bc/d.pcap"], "a/"),
            (["/x.pcap", "/y/z.pcap"], "/"), (["x.pcap", "y/z.pcap"], ""),
            (["a/b/c.pcap"], ""), (["a/b", "a/b/c"], "a/"), ([], ""), (["é/x", "é/y"], "é/"),
        ])
    func common(paths: [String], folder: String) {
        #expect(CommonFolder.of(Set(paths)) == folder)
        for path in paths {
            #expect(folder + CommonFolder.name(path, below: folder) == path)
        }
    }
}
