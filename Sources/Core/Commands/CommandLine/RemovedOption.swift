/// An option that an earlier version had, and what to write in its place.
///
/// It is kept for one version, so that a script learns what to change.
struct RemovedOption {
    /// The commands that had it.
    private let commands: Set<String>
    private let name: String
    private let instead: String

    private init(_ name: String, of commands: String, _ instead: String) {
        self.name = name
        self.commands = Set(commands.split(separator: ",").map(String.init))
        self.instead = instead
    }

    private static let all = [
        RemovedOption(
            "--source", of: "run,watch,list,prove,check",
            "write --checks document, --checks derived or --checks ours"),
        RemovedOption(
            "--include", of: "run,watch,list,prove,check,lint,explain",
            "name the folder in \(ProjectFile.name): include: [DIR]"),
        RemovedOption(
            "--device-command", of: "run,watch,list", "write --device 'command:CMD'"),
        RemovedOption(
            "--feature", of: "run,watch,list",
            "write a device profile with the command and \"features: [NAME]\""),
        RemovedOption("--mutant", of: "run,watch,list", "write --device reference:NAME"),
        RemovedOption(
            "--carrier", of: "run,watch,prove",
            "write --parameter carrier=iap2 or --parameter carrier=bus"),
        RemovedOption("--strict-protocol", of: "run,watch,check", "write --strict protocol"),
        RemovedOption("--until-failure", of: "run,watch", "write --repeat N --fail-fast"),
        RemovedOption(
            "--late-retries", of: "run,watch",
            "leave it out: a case that the machine was too busy to judge is run again"),
        RemovedOption("--update-known", of: "run,watch", "write --known update=FILE"),
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
        RemovedOption("--foreign", of: "check", "write --assume foreign"),
        RemovedOption("--until", of: "check", "write --assume complete"),
        RemovedOption("--checksums", of: "check,decode", "write --assume checksums"),
        RemovedOption(
            "--evidence", of: "check",
            "leave it out: with --rows FILE the reports keep only the messages of what did not pass"
        ),
        RemovedOption("--allow-empty", of: "check", "write --min 0"),
        RemovedOption("--threads", of: "check,decode", "write --limit threads=N"),
        RemovedOption("--limit-time", of: "check,decode,record", "write --limit time=DURATION"),
        RemovedOption("--idle", of: "check,decode", "write --follow DURATION"),
        RemovedOption(
            "--from-file", of: "check",
            "name the list among the captures: @LIST, or @- for the standard input"),
        RemovedOption("--resume", of: "check", "write --rows resume=FILE"),
    ]

    /// Returns what to write in place of an option that a command had; `nil` if it never had it.
    static func replacement(for name: String, of command: Command) -> String? {
        all.first { $0.name == name && $0.commands.contains(command.name) }?.instead
    }
}
