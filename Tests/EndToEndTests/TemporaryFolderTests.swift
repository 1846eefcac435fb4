import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Temporary files of tests")
struct TemporaryFolderTests {
    @Test("A folder and its contents are removed together with the value")
    func gone() throws {
        var folder: TemporaryFolder? = TemporaryFolder()
        let path = try #require(folder?.path)
        try Data([1]).write(to: URL(filePath: path + "/file"))
        #expect(path.hasPrefix(TemporaryFolder.ofRun + "/"))
        folder = nil
        #expect(access(path, F_OK) != 0)
    }

    @Test("The folder of a killed run is removed, but not that of a live run or other folders")
    func abandoned() throws {
        let place = TemporaryFolder()
        defer { place.remove() }
        func folder(_ name: String, age: Int) throws -> String {
            let path = "\(place.path)/\(name)"
            try FileManager.default.createDirectory(
                atPath: path + "/inside", withIntermediateDirectories: true)
            let time = Date(timeIntervalSinceNow: -Double(age))
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
            return path
        }
        let prefix = TemporaryFolder.namePrefix
        let dead = try folder(prefix + "dead", age: 100)
        let living = try folder(prefix + "living", age: 100)
        let young = try folder(prefix + "young", age: 0)
        let other = try folder("somebody-else", age: 100)
        let lock = try #require(TemporaryFolder.claim(living))
        defer { close(lock) }
        TemporaryFolder.removeAbandoned(in: place.path)
        #expect(access(dead, F_OK) != 0)
        for path in [living, young, other] { #expect(access(path, F_OK) == 0, "\(path)") }
    }

    @Test("No test creates files in the system's temporary folder by itself")
    func oneWay() throws {
        let tests = ConformProgram.root + "/Tests"
        let names = try #require(FileManager.default.enumerator(atPath: tests))
            .compactMap { $0 as? String }
        let own = ["TestSupport/TemporaryFolder.swift", "EndToEndTests/TemporaryFolderTests.swift"]
        let sources = names.filter { $0.hasSuffix(".swift") && !own.contains($0) }
        #expect(sources.count > 100)
        for name in sources {
            let text = try String(contentsOfFile: "\(tests)/\(name)", encoding: .utf8)
            for way in ["temporaryDirectory", "NSTemporaryDirectory", "\"/tmp/conform"] {
                #expect(!text.contains(way), "\(name): use TemporaryFolder instead of \(way)")
            }
        }
    }
}
