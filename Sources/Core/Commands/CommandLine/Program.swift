import Capture
import Devices
import Glibc
import Live
import PeerKit
import Reporting
import Results
import SuiteLanguage
import System
import Wire

/// The program `conform`: chooses the subcommand and turns errors into text and exit codes.
public struct Program {
    private let protocols: () -> ProtocolRegistry
    private let peers: () -> PeerFactory

    /// Creates the program with these protocols and kinds of peers, which are made on demand.
    ///
    /// - Parameters:
    ///   - protocols: The protocols that suites may name and that captures are read by.
    ///   - peers: The factory of the peers that `protocols` names.
    public init(
        protocols: @autoclosure @escaping () -> ProtocolRegistry,
        peers: @autoclosure @escaping () -> PeerFactory
    ) {
        self.protocols = protocols
        self.peers = peers
    }

    /// Runs the words of the command line; does not return.
    public func run() -> Never {
        // A file that grows beyond a limit (setrlimit(2)) is an error like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        let words = ProgramArguments.words
        // A worker must enter its namespaces while the process still has one thread, so this comes
        // first.
        if words.first == Worker.subcommand {
            Worker.run(
                arguments: Array(words.dropFirst()), protocols: protocols(), peers: peers())
        }
        run(words)
    }

    /// Every subcommand, in the order of the overview.
    static let commands: [Command] = [
        .initialize, .run, .watch, .check, .lint, .list, .explain, .messageFields, .wrongMessages,
        .decode, .record,
        .report, .prove, .doctor, .clean,
        .schema, .docs, .completion,
    ]

    private func run(_ words: [String]) -> Never {
        signal(SIGPIPE, SIG_IGN)
        var code: Int32
        do {
            code = try dispatch(words)
        } catch {
            let text: String
            (text, code) = Self.rendered(error)
            StandardError.print(text)
        }
        if let failure = StandardOutput.failure {
            StandardError.print("conform: error: the standard output cannot be written: \(failure)")
            if code == 0 { code = ExitStatus.reportFailed.rawValue }
        }
        exit(code)
    }

    private func dispatch(_ words: [String]) throws -> Int32 {
        guard let name = words.first else {
            StandardOutput.print(Self.overview)
            return ExitStatus.invalid.rawValue
        }
        if ["--help", "-h", "help"].contains(name) {
            guard name == "help", words.count > 1 else {
                StandardOutput.print(Self.overview)
                return 0
            }
            return try dispatch(words.dropFirst() + ["--help"])
        }
        if name == CompletionValues.command {
            CompletionValues(protocols()).print(Array(words.dropFirst()))
            return 0
        }
        if name == "--version" {
            StandardOutput.print("conform \(ConformVersion.current)")
            return 0
        }
        guard let command = Self.commands.first(where: { $0.name == name }) else {
            throw UsageError.unknownCommand(name, among: Self.commands)
        }
        return try run(command, words.dropFirst())
    }

    private func run(_ command: Command, _ words: ArraySlice<String>) throws -> Int32 {
        if let word = words.first, !command.subcommands.isEmpty, !word.hasPrefix("-") {
            guard let inner = command.subcommands.first(where: { $0.word == word }) else {
                throw UsageError.unknownSubcommand(word, of: command)
            }
            return try run(inner, words.dropFirst())
        }
        if words.contains("--help") || words.contains("-h") {
            StandardOutput.print(command.help)
            return 0
        }
        var arguments = try Arguments(words, for: command, protocols())
        if command.takesProject { try ProjectFile.find()?.complete(&arguments, for: command) }
        try OptionValues.check(arguments, of: command)
        return try command.run(arguments)
    }

    private static var overview: String {
        let lines = Command.rows(commands.map { ($0.name, $0.summary) })
        return """
            conform tests whether a device follows the specification of its protocol, and proves it.

            usage: conform COMMAND [OPTION ...] [OPERAND ...]

            \(lines.joined(separator: "\n"))

            conform help COMMAND lists the options; conform --version the version.
            exit codes: 0 conformant, 1 not conformant, 2 bad input, 3 could not judge, 4 nothing executed
            or too few passed, 5 a report could not be written, 130 and 143 interrupted
            """
    }

    private static func rendered(_ error: any Error) -> (text: String, code: Int32) {
        switch error {
        case let error as UsageError:
            ("conform: error: \(error)", ExitStatus.invalid.rawValue)
        case let error as InvalidInput:
            (
                error.diagnostics.map { $0.position == nil ? "conform: \($0)" : "\($0)" }
                    .joined(separator: "\n"), ExitStatus.invalid.rawValue
            )
        case let error as CaptureError:
            (error.message, error.status.rawValue)
        case let error as UnreadableReport:
            ("conform: error: \(error)", ExitStatus.invalid.rawValue)
        case let error as MergeError:
            ("conform: error: \(error)", ExitStatus.invalid.rawValue)
        case let error as ReportError:
            ("conform: error: \(error)", ExitStatus.reportFailed.rawValue)
        default:
            ("conform: error: \(error)", ExitStatus.couldNotJudge.rawValue)
        }
    }
}

extension CaptureError {
    /// The error and what to do about it.
    var message: String { "conform: error: \(self). \(advice)" }

    /// The exit code for it: after damage some packets could be read, after other errors none.
    var status: ExitStatus {
        switch code {
        case .truncated, .damaged, .limit: .couldNotJudge
        default: .invalid
        }
    }
}
