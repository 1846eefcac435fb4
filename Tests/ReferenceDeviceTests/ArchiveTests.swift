import Foundation
import System
import TestSupport
import Testing
import Wire

@testable import conform_device

@Suite("Archive")
struct ArchiveTests {
    private let key = ArchiveKey(
        appID: "app/../x", acknowledgement: ["make": "M", "model": "B"], address: "192.0.2.1")

    /// Returns what an app with all kinds of data stores in a whole session.
    private func archive() throws -> ResumptionArchive {
        var life = ResumptionRig(.everything)
        life.session()
        life.loseLink()
        let (key, reading) = try #require(life.rig.archives.first)
        guard case .bytes(let bytes) = reading else {
            throw ArchiveError(problem: "was not stored")
        }
        return try ResumptionArchive(bytes: bytes, for: key)
    }

    private let scratch = TemporaryFolder()

    private var folder: ArchiveFolder { ArchiveFolder(path: "\(scratch.path)/a/b") }

    @Test("An archive is read back unchanged")
    func roundTrip() throws {
        let archive = try archive()
        let bytes = archive.bytes(for: key)
        #expect(try ResumptionArchive(bytes: bytes, for: key) == archive)
        #expect(String(decoding: bytes.prefix(12), as: UTF8.self) == #"{"version":1"#)
        #expect(archive.data.menu?.map(\.id) == [1, 2, 5])
        #expect(archive.data.screen.count == 10)
    }

    @Test("Handlers are not stored")
    func handlers() throws {
        let data = ManagersData.everything.withHandlers
        #expect(!data.value(.archive).jsonText().contains("handler"))
    }

    @Test("Every truncation is an error, and never a crash")
    func truncations() throws {
        let bytes = try archive().bytes(for: key)
        for count in bytes.indices {
            #expect(throws: ArchiveError.self) {
                try ResumptionArchive(bytes: Array(bytes.prefix(count)), for: key)
            }
        }
    }

    @Test("Arbitrary bytes and damaged archives never crash the reader")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 0xC0F0_2E5)
        let good = try archive().bytes(for: key)
        var refused = 0
        for round in 0..<400 {
            var bytes = good
            if round % 4 == 0 {
                bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            } else {
                for _ in 0..<(1 << (round % 5)) {
                    let index = Int.random(in: bytes.indices, using: &generator)
                    bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            do {
                let archive = try ResumptionArchive(bytes: bytes, for: key)
                #expect(try ResumptionArchive(bytes: archive.bytes(for: key), for: key) == archive)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 100)
    }

    @Test(
        "JSON documents that are not an archive are refused",
        arguments: [
            "[]", "1", "{}", #"{"version":1}"#,
            #"{"version":2,"appID":"a","headUnit":{"make":"M"},"hashID":"h","data":{}}"#,
            #"{"version":1,"appID":"b","headUnit":{"make":"M"},"hashID":"h","data":{}}"#,
            #"{"version":1,"appID":"a","headUnit":{"make":"N"},"hashID":"h","data":{}}"#,
            #"{"version":1,"appID":"a","headUnit":{"make":"M"},"hashID":"","data":{}}"#,
            #"{"version":1,"appID":"a","headUnit":{"make":"M"},"hashID":"h"}"#,
            #"{"version":1,"appID":"a","headUnit":{"make":"M"},"hashID":"h","data":[]}"#,
            #"{"version":1,"appID":"a","headUnit":{"make":"M"},"hashID":"h","data":{"menu":[{"title":"x"}]}}"#,
        ])
    func refused(json: String) {
        let key = ArchiveKey(appID: "a", acknowledgement: ["make": "M"], address: "")
        #expect(throws: ArchiveError.self) {
            try ResumptionArchive(bytes: Array(json.utf8), for: key)
        }
    }

    @Test("The smallest archive is read")
    func smallest() throws {
        let key = ArchiveKey(appID: "a", acknowledgement: ["make": "M"], address: "")
        let json = #"{"version":1,"appID":"a","headUnit":{"make":"M"},"hashID":"h","data":{}}"#
        let archive = try ResumptionArchive(bytes: Array(json.utf8), for: key)
        #expect(archive == ResumptionArchive(hashID: "h", data: ManagersData()))
    }

    // MARK: The folder

    @Test("A file is found again, replaced as a whole and removed, and no other file is left")
    func folderLife() throws {
        #expect(folder.read(key) == .none)
        try folder.store([1, 2, 3], for: key)
        try folder.store([4], for: key)
        #expect(folder.read(key) == .bytes([4]))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == [key.fileName])
        #expect(!key.fileName.contains("/"))
        try folder.remove(key)
        try folder.remove(key)
        #expect(folder.read(key) == .none)
    }

    @Test("A write that fails leaves the old archive and no temporary file")
    func failedWrite() throws {
        try folder.store([1], for: key)
        // A folder with the name of the file cannot be replaced by a file.
        let path = "\(folder.path)/\(key.fileName)"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(
            atPath: "\(path)/inside", withIntermediateDirectories: true)
        #expect(throws: SystemError.self) { try folder.store([2], for: key) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == [key.fileName])
    }

    @Test("A folder in place of the file is unreadable, not absent")
    func unreadable() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/\(key.fileName)", withIntermediateDirectories: true)
        guard case .unreadable(let reason) = folder.read(key) else {
            Issue.record("\(folder.read(key))")
            return
        }
        #expect(reason.contains("directory"))
    }
}
