import Files
import Glibc
import Reports
import Runner
import Suites

extension Command {
    private static let role = Option(
        "--role", ProjectTemplate.roles.joined(separator: "|"), "the kind of your device")
    private static let launch = Option(
        "--launch", "CMD",
        "the command that starts your device, with ${host} and ${port}; '': the reference device")
    private static let continuousIntegration = Option(
        "--ci", "github|gitlab|none", "the CI engine that a job is written for (default: github)")

    /// `conform init`: the files of a new project.
    static let initialize = Command(
        name: "init", operands: "[DIR]",
        summary: "Writes a project: conform.yaml, device profile, suite, catalogue, CI job.",
        options: [role, launch, continuousIntegration]
    ) { arguments in
        guard arguments.operands.count <= 1 else {
            throw UsageError("conform init takes one folder")
        }
        let role = try answer(
            arguments.value(role.name),
            "Kind of device (\(ProjectTemplate.roles.joined(separator: ", ")))",
            default: ProjectTemplate.roles[0])
        guard ProjectTemplate.roles.contains(role) else {
            throw UsageError(
                "conform init knows \(ProjectTemplate.roles.joined(separator: ", ")), not "
                    + "\"\(role)\"; for other devices see Documentation/your-protocol.md")
        }
        let command = try answer(
            arguments.value(launch.name),
            "Command that starts your device, with ${host} and ${port} (empty: reference device)",
            default: "")
        let engine = arguments.value(continuousIntegration.name) ?? "github"
        guard ["github", "gitlab", "none"].contains(engine) else {
            throw UsageError(
                "\(continuousIntegration.name) takes github, gitlab or none, not \"\(engine)\"")
        }
        let folder = arguments.operands.first ?? "."
        let template = ProjectTemplate(
            role: role, launch: try CommandWords.split(command), engine: engine)
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
        if !command.isEmpty {
            StandardOutput.print(
                "the reference device shows that the suite is sound: "
                    + "conform run --device \(CommonOptions.referenceDevice)")
        }
        return 0
    }

    /// What an option gives, or who sits at the terminal; the default without either.
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
