import Foundation
import Glibc
import Testing

/// A bounded wait for the end of a program that a test has started.
///
/// A program that hangs is ended and is a failure of its test. The failure shows what the program
/// and its children were doing.
enum BoundedWait {
    /// The default limit, far more than any program of the tests needs on a slow machine.
    static let limit = Duration.seconds(600)

    /// Waits for the end of a child.
    ///
    /// - Returns: Its exit code, or 128 plus the number of the signal that ended it.
    static func exitCode(of process: pid_t, atMost limit: Duration = limit) -> Int32 {
        let end = ContinuousClock.now + limit
        var status: Int32 = 0
        while true {
            let answer = waitpid(process, &status, WNOHANG)
            if answer == process { break }
            if answer < 0, errno != EINTR { return -1 }
            if ContinuousClock.now > end {
                Issue.record("hangs for \(limit): \(family(of: process).joined(separator: "\n"))")
                kill(process, SIGKILL)
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                break
            }
            poll(nil, 0, 5)
        }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Returns a line about a process and about each of its descendants.
    ///
    /// A line has the command, the state, and the function of the kernel in which the process
    /// waits.
    private static func family(of process: pid_t) -> [String] {
        func text(_ name: String) -> String {
            FileManager.default.contents(atPath: "/proc/\(process)/\(name)")
                .map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        let words = text("cmdline").replacingOccurrences(of: "\0", with: " ")
        let state = text("status").split(separator: "\n").first { $0.hasPrefix("State:") } ?? ""
        let children = text("task/\(process)/children").split(separator: " ").compactMap {
            pid_t($0)
        }
        return ["\(process) \(words)\(state) \(text("wchan"))"]
            + children.flatMap { family(of: $0) }
    }
}
