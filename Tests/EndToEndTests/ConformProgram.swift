import Foundation
import Glibc
import TestSupport

/// The built `conform`, run as a user would run it.
struct ConformProgram {
    /// The result of a finished program.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The folder of the built programs, found from the running test bundle.
    static let folder: String = {
        var url = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for _ in 0..<6 {
            url.deleteLastPathComponent()
            let candidate = url.appending(path: "conform").path
            if access(candidate, X_OK) == 0, !isFolder(candidate) { return url.path }
        }
        return "/"
    }()

    /// The repository.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The folder of real captures next to the repository; `nil` if it is not available.
    static let data: String? = {
        let path =
            ProcessInfo.processInfo.environment["CONFORM_DATA"]
            ?? URL(filePath: root).deletingLastPathComponent().appending(path: "shared/data").path
        return access(path + "/sdl", R_OK) == 0 ? path : nil
    }()

    /// How often at most a check is executed again whose run a busy machine could not judge.
    private static let lateRetryCount = 4

    /// Returns the words that start `conform`.
    static func command(_ arguments: [String]) -> [String] {
        ["\(folder)/conform"] + arguments
    }

    /// What a verdict says that is inconclusive because of the machine.
    static let latenessWords = ["the harness was late", "the machine held up"]

    /// Runs the body while other processes want all the processors.
    static func onBusyMachine<T>(_ loadPerProcessor: Int = 2, _ body: () throws -> T) throws -> T {
        let count = loadPerProcessor * ProcessInfo.processInfo.activeProcessorCount
        let spinners = try (0..<count).map { _ in
            try Started(["/bin/sh", "-c", "ulimit -t 60; while :; do :; done"], in: "/")
        }
        defer {
            for spinner in spinners {
                kill(spinner.process, SIGKILL)
                _ = spinner.wait()
            }
        }
        return try body()
    }

    /// Runs the body again while its last program could not judge because the machine was too busy.
    ///
    /// This is for captures that are judged by a different suite than that of their run.
    static func unlessLate(_ body: () throws -> Outcome) rethrows -> Outcome {
        for _ in 0..<lateRetryCount {
            let outcome = try body()
            let isLate = latenessWords.contains { outcome.output.contains($0) }
            guard outcome.status == 3, isLate else { return outcome }
        }
        return try body()
    }

    /// Starts `conform` with the repository as the working directory.
    static func start(_ arguments: [String], in folder: String = root) throws -> Started {
        try Started(command(arguments), in: folder)
    }

    /// Runs `conform` to its end.
    static func run(_ arguments: [String], in folder: String = root) throws -> Outcome {
        try start(arguments, in: folder).wait()
    }

    /// Whether a path is that of a folder.
    static func isFolder(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }

    /// A running program whose output goes to files.
    final class Started {
        let process: pid_t
        private let outputPath: String
        private let errorPath: String

        init(_ arguments: [String], in folder: String) throws {
            let scratch = TemporaryFolder.lasting()
            outputPath = scratch + "/stdout"
            errorPath = scratch + "/stderr"
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, flags, 0o644)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, flags, 0o644)
            let words = ["/usr/bin/env", "--chdir=\(folder)"] + arguments
            var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            defer { argv.forEach { free($0) } }
            var child: pid_t = 0
            let code = posix_spawn(&child, words[0], &actions, nil, &argv, environ)
            guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
            process = child
        }

        /// The output of the program so far.
        var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

        /// Waits for the end of the program, up to a limit.
        func wait() -> Outcome {
            Outcome(
                status: BoundedWait.exitCode(of: process), output: output,
                errors: (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "")
        }
    }
}
