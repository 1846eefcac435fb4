import Foundation
import Glibc

/// A pseudo terminal of the kernel on which a program runs as for a person.
final class PseudoTerminal {
    private let main: Int32
    private var process: pid_t = 0
    /// Linux's `TIOCSPTLCK` and `TIOCGPTN`, which the C library provides only as functions.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Everything that the program has written so far.
    private(set) var output: [UInt8] = []

    /// Starts `conform` on a terminal of the given width.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - columns: The width in cells; 0 for a terminal without a known width.
    ///   - variables: Additional environment variables as `NAME=value`; there are few others.
    init(_ arguments: [String], columns: UInt16, variables: [String] = []) throws {
        main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard main >= 0, ioctl(main, Self.setLock, &isLocked) == 0,
            ioctl(main, Self.getNumber, &number) == 0
        else { throw Self.failure }
        let terminal = "/dev/pts/\(number)"
        var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(main, UInt(TIOCSWINSZ), &size)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR | O_NOCTTY, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        let environment = ["PATH", "HOME", "TMPDIR"].compactMap { name in
            ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
        }
        let words =
            ["/usr/bin/env", "-i", "--chdir=\(ConformProgram.root)", "TERM=xterm"] + environment
            + variables + ["\(ConformProgram.folder)/conform"] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        guard posix_spawn(&process, words[0], &actions, nil, &argv, environ) == 0 else {
            throw Self.failure
        }
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// Changes the width of the terminal, as when a window is resized.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(main, UInt(TIOCSWINSZ), &size)
    }

    /// Types a text.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(main, bytes, bytes.count)
    }

    /// Reads until the program has ended, or `isEnough` is true for its output.
    func read(until isEnough: ([UInt8]) -> Bool = { _ in false }) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let limit = ContinuousClock.now + .seconds(240)
        while ContinuousClock.now < limit, !isEnough(output) {
            var ready = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 1000) > 0 else { continue }
            let count = Glibc.read(main, &buffer, buffer.count)
            guard count > 0 else { return }
            output += buffer[..<count]
        }
    }

    /// Waits for the end of the program and returns its exit code.
    func wait() -> Int32 {
        read()
        return BoundedWait.exitCode(of: process)
    }

    /// The lines that the terminal shows at the end.
    ///
    /// The control sequences that `conform` uses are applied, and any other stays visible.
    var screen: [String] {
        var lines = [""]
        var rest = String(decoding: output, as: UTF8.self)[...]
        while let character = rest.popFirst() {
            switch character {
            case "\r\n", "\n": lines.append("")
            case "\r" where rest.hasPrefix("\u{1B}[2K"):
                rest = rest.dropFirst(4)
                lines[lines.count - 1] = ""
            case "\u{1B}" where rest.first == "[":
                let end = rest.firstIndex(of: "m")
                let code = end.map { rest[..<$0].dropFirst() }
                guard let end, let code, code.allSatisfy(\.isNumber) else {
                    lines[lines.count - 1].append("ESC")
                    continue
                }
                rest = rest[rest.index(after: end)...]
            default: lines[lines.count - 1].append(character)
            }
        }
        return lines
    }

    deinit { close(main) }
}
