import Glibc
import Reporting
import Results
import SuiteLanguage
import System

extension Command {
    private static let roles = ProjectTemplate.kinds.map(\.role)
    private static let role = Option(
        "--role", roles.joined(separator: "|"),
        "the kind of your device; session.client: of Diffusion; tcp and udp: of another protocol, "
            + "as a client (it calls) or a server (it is called)")
    private static let launch = Option(
        "--launch", "CMD",
        "the command that starts your device, with ${host} and ${port}; if peers call it, "
            + "${device.host} and ${device.port}; with Bluetooth, ${radio.host} and ${radio.port}; "
            + "'': the reference device", takesNothing: true)
    private static let continuousIntegration = Option(
        "--ci", (ProjectTemplate.engines + ["none"]).joined(separator: "|"),
        "the CI engine that a job is written for (default: github)")

    /// `conform init`: creates the files of a new project.
    static let initialize = Command(
        name: "init", operands: "[DIR]",
        summary: "Writes a project: conform.yaml, device profile, suite, catalogue, CI job.",
        example: "init my-app --role sdl.app --launch ''",
        options: [role, launch, continuousIntegration]
    ) { arguments in
        guard arguments.operands.count <= 1 else {
            throw UsageError("conform init takes one folder")
        }
        let role = try answer(
            arguments.value(role.name),
            "What the device is:\n" + kindList + "Kind of device", default: roles[0])
        guard let kind = ProjectTemplate.kinds.first(where: { $0.role == role }) else {
            throw UsageError(
                "conform init knows \(roles.joined(separator: ", ")), not \"\(role)\"; for another "
                    + "protocol take tcp.client or udp.client if your device calls, tcp.server or "
                    + "udp.server if it is called")
        }
        let command = try answer(
            arguments.value(launch.name),
            "Command that starts your device, with "
                + kind.placeholders
                + (kind.hasReference ? " (empty: reference device)" : ""),
            default: "")
        guard kind.hasReference || !command.isEmpty else {
            throw UsageError(
                "there is no reference device for \(role): start yours with \(launch.name)")
        }
        let engine = arguments.value(continuousIntegration.name) ?? "github"
        guard (ProjectTemplate.engines + ["none"]).contains(engine) else {
            throw UsageError(
                "\(continuousIntegration.name) takes "
                    + "\(ProjectTemplate.engines.joined(separator: ", ")) or none, not \"\(engine)\""
            )
        }
        let folder = arguments.operands.first ?? "."
        let template = ProjectTemplate(
            kind: kind, launch: try words(of: command), engine: engine,
            hasPipeline: ReportOptions.isThere("\(folder)/.gitlab-ci.yml"))
        let taken = template.files.map { "\(folder)/\($0.path)" }.filter(ReportOptions.isThere)
        guard taken.isEmpty else {
            throw UsageError(
                "\(taken.joined(separator: ", ")) \(taken.count == 1 ? "is" : "are") there already; "
                    + "nothing is written: give another folder")
        }
        for file in template.files {
            try HeldFolder(making: folder).place(file.path, making: true)
                .replace(with: Array(file.text.utf8), durably: false)
            StandardOutput.print("\(folder)/\(file.path)")
        }
        if command.isEmpty, arguments.value(launch.name) == nil {
            StandardOutput.print(
                "device: the reference device for \(role); \(Self.role.name) and \(launch.name) name yours"
            )
        }
        let change = folder == "." ? "" : "cd \(ShellWord.quoted(folder)) && "
        StandardOutput.print("next: \(change)conform run")
        template.jobAdvice.forEach { StandardOutput.print($0) }
        if !command.isEmpty, kind.hasReference {
            StandardOutput.print(
                "the reference device shows that the suite is sound: "
                    + "conform run --device \(DeviceOption.reference)")
        }
        return 0
    }

    private static var kindList: String {
        let width = roles.map(\.count).max() ?? 0
        return ProjectTemplate.kinds.map { kind in
            let gap = String(repeating: " ", count: width + 2 - kind.role.count)
            return "  \(kind.role)\(gap)\(kind.does)\n"
        }.joined()
    }

    /// Returns the words of the command that starts the device.
    ///
    /// - Throws: `UsageError` if it is a line for a shell.
    private static func words(of command: String) throws(UsageError) -> [String] {
        let words = try CommandWords.split(command)
        let operators: Set = ["|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>&1", "&>"]
        guard let found = words.first(where: operators.contains) else { return words }
        throw UsageError(
            "\(launch.name) is one command, and \(found) is for a shell: "
                + "\(launch.name) \(ShellWord.quoted("sh -c \(ShellWord.quoted(command))"))")
    }

    /// Returns whether somebody has written answers into the standard input.
    ///
    /// A pipe or a file that has nothing within a moment, as under CI engines, has none.
    private static let hasAnswers: Bool = {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0,
            [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT)
        else { return false }
        var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let moment: Int32 = 200
        return poll(&ready, 1, moment) == 1 && ready.revents & Int16(POLLIN) != 0
    }()

    /// Returns the value of an option, a user's answer at the standard input, or else the default.
    private static func answer(
        _ given: String?, _ question: String, default fallback: String
    ) throws -> String {
        if let given { return given }
        if isatty(STDIN_FILENO) == 1, Terminal.isTerminal {
            StandardOutput.write("\(question)\(fallback.isEmpty ? "" : " [\(fallback)]"): ")
        } else if !hasAnswers {
            return fallback
        }
        let line = readLine() ?? ""
        return line.isEmpty ? fallback : line
    }
}
