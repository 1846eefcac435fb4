/// An option that an earlier version had, and what to write in its place.
///
/// It is kept for one version: where one option or value replaces it, it is read as that one;
/// otherwise an error says what to write.
struct RemovedOption {
    /// How it is read.
    private enum Meaning {
        /// As words that do not depend on its value, if it had one.
        case words([String], hadValue: Bool = false)
        /// As an option or operand whose value begins with a prefix.
        case value(option: String?, prefix: String)
        /// As a prefix of the value of an option that stands anywhere on the command line.
        case prefix(String, of: String)
        /// Not at all.
        case none
    }

    /// The commands that had it.
    private let commands: Set<String>
    private let name: String
    /// What to write.
    let instead: String
    private let meaning: Meaning

    private init(
        _ name: String, of commands: String, _ instead: String, as meaning: Meaning = .none
    ) {
        self.name = name
        self.commands = Set(commands.split(separator: ",").map(String.init))
        self.instead = instead
        self.meaning = meaning
    }

    private static let all = [
        RemovedOption(
            "--source", of: "run,watch,list,prove,check",
            "write --checks document, --checks derived or --checks ours",
            as: .value(option: "--checks", prefix: "")),
        RemovedOption(
            "--include", of: "run,watch,list,prove,check,lint,explain",
            "name the folder in \(ProjectFile.name): include: [DIR]"),
        RemovedOption(
            "--device-command", of: "run,watch,list", "write --device 'command:CMD'",
            as: .value(option: "--device", prefix: "command:")),
        RemovedOption(
            "--feature", of: "run,watch,list",
            "write a device profile with the command and \"features: [NAME]\""),
        RemovedOption(
            "--mutant", of: "run,watch,list", "write --device reference:NAME",
            as: .value(option: "--device", prefix: "reference:")),
        RemovedOption(
            "--carrier", of: "run,watch,prove",
            "write --parameter carrier=iap2 or --parameter carrier=bus",
            as: .value(option: "--parameter", prefix: "carrier=")),
        RemovedOption(
            "--strict-protocol", of: "run,watch,check", "write --strict protocol",
            as: .words(["--strict", "protocol"])),
        RemovedOption("--until-failure", of: "run,watch", "write --repeat N --fail-fast"),
        RemovedOption(
            "--late-retries", of: "run,watch",
            "leave it out: a case that the machine was too busy to judge is run again"),
        RemovedOption(
            "--update-known", of: "run,watch", "write --known update=FILE",
            as: .prefix("update=", of: "--known")),
        RemovedOption(
            "--times", of: "run,watch",
            "write --shard I/N,RUN, or --shard 1/1,RUN if there is one part"),
        RemovedOption(
            "--operator", of: "run,watch", "set the variable CONFORM_OPERATOR to NAME or none"),
        RemovedOption(
            "--pause", of: "run,watch",
            "write --device pause:DEVICE, and select the cases with --case"),
        RemovedOption(
            "--junit-dialect", of: "run,watch,check,report merge",
            "write Surefire's files afterwards: "
                + "conform report junit --junit-dialect surefire RESULTS -o DIR"),
        RemovedOption(
            "--foreign", of: "check", "write --assume foreign", as: .words(["--assume", "foreign"])),
        RemovedOption(
            "--until", of: "check", "write --assume complete",
            as: .words(["--assume", "complete"], hadValue: true)),
        RemovedOption(
            "--checksums", of: "check,decode", "write --assume checksums",
            as: .words(["--assume", "checksums"])),
        RemovedOption(
            "--evidence", of: "check",
            "leave it out: with --rows FILE the reports keep only the messages of what did not pass"
        ),
        RemovedOption(
            "--allow-empty", of: "check", "write --min 0", as: .words(["--min", "0"])),
        RemovedOption(
            "--threads", of: "check,decode", "write --limit threads=N",
            as: .value(option: "--limit", prefix: "threads=")),
        RemovedOption(
            "--limit-time", of: "check,decode,record", "write --limit time=DURATION",
            as: .value(option: "--limit", prefix: "time=")),
        RemovedOption("--idle", of: "check,decode", "write --follow DURATION"),
        RemovedOption(
            "--from-file", of: "check",
            "name the list among the captures: @LIST, or @- for the standard input",
            as: .value(option: nil, prefix: "@")),
        RemovedOption(
            "--resume", of: "check", "write --rows resume=FILE",
            as: .prefix("resume=", of: "--rows")),
    ]

    /// Returns the option of a command with that name; `nil` if it never had it.
    static func named(_ name: String, of command: Command) -> RemovedOption? {
        all.first { $0.name == name && $0.commands.contains(command.name) }
    }

    /// Returns the words as which it is read, and removes its value from those that follow; `nil`
    /// if it is not read.
    func words(inline: String?, followedBy words: inout ArraySlice<String>) -> [String]? {
        switch meaning {
        case .words(let instead, let hadValue):
            if hadValue, inline == nil { _ = words.popFirst() }
            return instead
        case .value(let option, let prefix):
            guard let value = inline ?? words.popFirst() else { return nil }
            return (option.map { [$0] } ?? []) + [prefix + value]
        case .prefix: return []
        case .none: return nil
        }
    }

    /// The option whose value gets a prefix; `nil` if none does.
    var prefixed: (option: String, prefix: String)? {
        if case .prefix(let prefix, let option) = meaning { (option, prefix) } else { nil }
    }
}
