import Files
import Glibc
import Processes
import Reporting
import Results
import SuiteLanguage

extension Command {
    private static let roles = ProjectTemplate.kinds.map(\.role)
    private static let role = Option(
        "--role", roles.joined(separator: "|"),
        "the kind of your device; tcp.client, tcp.server: it uses a protocol of its own")
    private static let launch = Option(
        "--launch", "CMD",
        "the command that starts your device, with ${host} and ${port}, or, if peers call it, "
            + "${device.host} and ${device.port}; '': the reference device")
    private static let continuousIntegration = Option(
        "--ci", "github|gitlab|none", "the CI engine that a job is written for (default: github)")

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
            "Kind of device (\(roles.joined(separator: ", ")))", default: roles[0])
        guard let kind = ProjectTemplate.kinds.first(where: { $0.role == role }) else {
            throw UsageError(
                "conform init knows \(roles.joined(separator: ", ")), not \"\(role)\"; "
                    + "for a protocol of your own take tcp.client or tcp.server")
        }
        let command = try answer(
            arguments.value(launch.name),
            "Command that starts your device, with "
                + (kind.listens ? "${device.host} and ${device.port}" : "${host} and ${port}")
                + (kind.hasReference ? " (empty: reference device)" : ""),
            default: "")
        guard kind.hasReference || !command.isEmpty else {
            throw UsageError(
                "there is no reference device for \(role): start yours with \(launch.name)")
        }
        let engine = arguments.value(continuousIntegration.name) ?? "github"
        guard ["github", "gitlab", "none"].contains(engine) else {
            throw UsageError(
                "\(continuousIntegration.name) takes github, gitlab or none, not \"\(engine)\"")
        }
        let folder = arguments.operands.first ?? "."
        let template = ProjectTemplate(
            kind: kind, launch: try CommandWords.split(command), engine: engine)
        let taken = template.files.map { "\(folder)/\($0.path)" }.filter(ReportOptions.isThere)
        guard taken.isEmpty else {
            throw UsageError(
                "\(taken.joined(separator: ", ")) is there already; nothing is written")
        }
        for file in template.files {
            try HeldFolder(making: folder).place(file.path, making: true)
                .replace(with: Array(file.text.utf8), durably: false)
            StandardOutput.print("\(folder)/\(file.path)")
        }
        let change = folder == "." ? "" : "cd \(ShellWord.quoted(folder)) && "
        StandardOutput.print("next: \(change)conform run")
        if !command.isEmpty, kind.hasReference {
            StandardOutput.print(
                "the reference device shows that the suite is sound: "
                    + "conform run --device \(DeviceOption.reference)")
        }
        return 0
    }

    /// Returns the value of an option, a user's answer at the terminal, or else the default.
    private static func answer(
        _ given: String?, _ question: String, default fallback: String
    ) throws -> String {
        if let given { return given }
        guard isatty(STDIN_FILENO) == 1, Terminal.isTerminal else { return fallback }
        StandardOutput.write("\(question)\(fallback.isEmpty ? "" : " [\(fallback)]"): ")
        let line = readLine() ?? ""
        return line.isEmpty ? fallback : line
    }
}
