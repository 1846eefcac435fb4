import Glibc
import SuiteLanguage

/// A program that captures elsewhere and writes the capture to its standard output.
///
/// It runs with the environment and the files of the user.
public final class CaptureProgram {
    /// Its words, with the placeholders filled in.
    public let words: [String]
    /// The descriptor of its output.
    public var output: Int32 { reading.number }
    private let reading: Descriptor
    private let child: ChildProcess
    private let errors: OutputReader
    private var lines: [String] = []

    /// How many lines of its standard error are kept.
    private static let linesMax = 16

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - words: Program and arguments, with placeholders.
    ///   - profile: The device whose packets it captures.
    ///   - variables: Values of the placeholders, in addition to the device's address.
    public init(
        _ words: [String], of profile: DeviceProfile, variables: [String: String]
    ) throws(DeviceError) {
        var values = variables
        values["\(Step.device).host"] = profile.attachment?.address
        let placeholders = Placeholders(values: values)
        self.words = try placeholders.fill(words, in: "capture")
        // A working directory with a placeholder that only the device has is left out.
        let directory = profile.workingDirectory.flatMap { try? placeholders.fill($0, in: "cwd") }
        let (output, errors) = (try Descriptor.pipe(), try Descriptor.pipe())
        child = try ChildProcess(
            Launch(
                arguments: self.words,
                environment: UserEnvironment.variables.map { "\($0)=\($1)" }.sorted(),
                workingDirectory: directory, output: output.writing, error: errors.writing,
                limits: .none, isConfined: false))
        reading = output.reading
        self.errors = OutputReader(errors.reading, stream: .control)
    }

    /// Asks the program to end.
    public func interrupt() { child.signalGroup(SIGINT) }

    /// Reads its standard error, so that the program never blocks on it.
    public func listen() { lines = (lines + errors.read()).suffix(Self.linesMax) }

    /// The last lines of its standard error, when no more will come.
    private var lastLines: [String] {
        lines = (lines + errors.drain()).suffix(Self.linesMax)
        return lines
    }

    /// How it ended, with its last line; or, if it still runs, that it has closed its output.
    public var ending: String {
        // The end of its output is seen just before its own end.
        var ended = pollfd(fd: child.descriptor.number, events: Int16(POLLIN), revents: 0)
        _ = poll(&ended, 1, 500)
        let how = child.exit.map { "\($0)" } ?? "it closed its output"
        return how + (lastLines.last.map { ", having printed \"\($0)\"" } ?? "")
    }

    /// How many packets were lost, as tcpdump reports at its end: `12 packets dropped by kernel`.
    public var droppedCount: Int {
        lastLines.filter { $0.hasSuffix("dropped by kernel") }
            .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }.reduce(0, +)
    }
}
