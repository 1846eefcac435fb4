import Foundation
import TestSupport

/// Programs of other projects that test the reports.
enum ExternalTool {
    /// The result of a program.
    struct Outcome {
        let status: Int32
        let output: String
    }

    /// Returns the path of an installed program; `nil` if it is not installed.
    static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return (folders.map(String.init) + ["/usr/bin", "/usr/local/bin"])
            .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end.
    ///
    /// Its output goes through a file, so that no pipe can fill up.
    static func run(_ words: [String]) throws -> Outcome {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let output = URL(filePath: folder.path).appending(path: "output")
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        defer { try? handle.close() }
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        return Outcome(status: process.terminationStatus, output: text)
    }
}

/// Readers of JUnit in Python, which `Scripts/third-party` installs.
enum PythonReaders {
    /// The interpreter with the readers; `nil` where they are not installed.
    static let interpreter: String? = {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let python = root + "/.third-party/python/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: python),
            let outcome = try? ExternalTool.run(
                [python, "-c", "import junitparser, junit2htmlreport"])
        else { return nil }
        return outcome.status == 0 ? python : nil
    }()
}
