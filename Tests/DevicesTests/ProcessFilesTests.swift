import Foundation
import Glibc
import TestSupport
import Testing

@testable import Devices

/// What the kernel says of a process in its files.
struct ProcessFilesTests {
    @Test("A program's name may contain spaces and brackets; the numbers follow the last bracket")
    func nameWithBrackets() throws {
        let folder = TemporaryFolder()
        let program = folder.path + "/a) 7 (b"
        try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program)
        let child = Process()
        child.executableURL = URL(fileURLWithPath: program)
        child.arguments = ["60"]
        try child.run()
        let files = ProcessFiles(in: "/proc/\(child.processIdentifier)")
        let running = try #require(files.status)
        #expect(running.parent == getpid())
        #expect(running.session == getsid(child.processIdentifier))
        #expect(running.threadCount == 1)
        #expect(files.times != nil)
        child.terminate()
        child.waitUntilExit()
        #expect(files.status?.parent == nil, "the process does not exist any more")
    }

    @Test("The same files show what a process has done since")
    func severalReadings() throws {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sh")
        child.arguments = ["-c", "ulimit -t 20; read line; while :; do :; done"]
        let input = Pipe()
        child.standardInput = input
        try child.run()
        defer { kill(child.processIdentifier, SIGKILL) }
        Thread.sleep(forTimeInterval: 0.3)
        let files = ProcessFiles(in: "/proc/\(child.processIdentifier)")
        let first = try #require(files.times)
        #expect(files.status?.state == UInt8(ascii: "S"))
        try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
        Thread.sleep(forTimeInterval: 0.5)
        let second = try #require(files.times)
        #expect(second.run - first.run > 10_000_000)
        #expect(files.status?.state == UInt8(ascii: "R"))
    }
}
