import CSandbox
import Glibc

/// The output of a short-lived program.
package enum CommandOutput {
    /// Runs a program to its end and returns what it printed.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments.
    ///   - errors: The descriptor for its standard error; a negative one is /dev/null.
    ///   - limit: How many bytes it may print.
    /// - Throws: `ProcessError` if it cannot be started, prints more, or ends with an exit code
    ///   other than 0.
    package static func of(
        _ arguments: [String], errors: Int32 = STDERR_FILENO, limit: Int = .max
    ) throws(ProcessError) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ProcessError(description: "no pipe: \(errnoText())")
        }
        defer { close(ends[0]) }
        let child: conform_child
        do {
            defer { close(ends[1]) }
            child = try conform_child(
                starting: arguments, stdin: -1, stdout: ends[1], stderr: errors)
        }
        defer { close(child.pidfd) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(ends[0], &buffer, buffer.count), count > 0 {
            output += buffer[..<count]
            if output.count > limit { kill(child.pid, SIGKILL) }
        }
        var status: Int32 = 0
        waitpid(child.pid, &status, 0)
        guard output.count <= limit else {
            throw ProcessError(description: "\(arguments[0]) printed more than \(limit) bytes")
        }
        guard status == 0 else {
            throw ProcessError(
                description:
                    "\(arguments.joined(separator: " ")) ended with exit code \(status >> 8)")
        }
        return output
    }
}

/// An error of a program that cannot be started, or that failed.
package struct ProcessError: Error, CustomStringConvertible {
    /// The error, as a sentence.
    package let description: String
}

extension conform_child {
    /// Starts a program; a negative descriptor is /dev/null.
    ///
    /// - Throws: `ProcessError` if it cannot be started.
    package init(
        starting arguments: [String], stdin: Int32, stdout: Int32, stderr: Int32 = STDERR_FILENO
    ) throws(ProcessError) {
        self.init()
        let failure = CStrings.withArray(arguments) { argv in
            var options = conform_spawn_options()
            options.argv = argv
            options.stdin_fd = stdin
            options.stdout_fd = stdout
            options.stderr_fd = stderr
            return conform_spawn(&options, &self)
        }
        guard failure == 0 else {
            throw ProcessError(
                description: "\(arguments[0]) cannot be started: \(errnoText(failure))")
        }
    }
}
