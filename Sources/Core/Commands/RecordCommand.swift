import Offline
import Processes
import Reporting
import Results
import SuiteLanguage

extension Command {
    /// `conform record`: makes a suite from golden captures.
    static let record = Command(
        name: "record", operands: "CAPTURE ...",
        summary: "Makes a suite from golden captures: it requires what they have in common.",
        options: [
            output, name, bodyFrom, CommonOptions.peer, CommonOptions.described, force,
            CaptureOptions.limit,
            CaptureOptions.limitTime,
        ]
    ) { arguments in
        guard !arguments.operands.isEmpty else {
            throw UsageError("no capture is named; give at least one")
        }
        guard let path = arguments.value(output.name) else {
            throw UsageError("say where the suite goes: conform record CAPTURE -o suite.yaml")
        }
        let recording = try Recording(
            captures: arguments.operands,
            options: Recording.Options(
                path: path, name: arguments.value(name.name),
                bodyFrom: arguments.value(bodyFrom.name),
                peers: try CommonOptions.peerEndpoints(arguments),
                known: try CommonOptions.known(arguments)))
        for file in [recording.suite, recording.catalogue] {
            guard arguments.has(force.name) || !ReportOptions.isThere(file.path) else {
                throw UsageError(
                    "\(file.path) is there already; choose another --output, "
                        + "or overwrite it with \(force.name)")
            }
        }
        for file in [recording.suite, recording.catalogue] {
            try ReportFile.write(file.text, to: file.path)
        }
        recording.remarks.forEach { StandardOutput.print($0) }
        let outcomes = try recording.check()
        outcomes.forEach { StandardOutput.print($0.description) }
        StandardOutput.print("suite: \(recording.suite.path)")
        StandardOutput.print("requirements to replace: \(recording.catalogue.path)")
        StandardOutput.print("next: \(recording.nextCommand)")
        return outcomes.allSatisfy(\.isPass) ? 0 : ExitStatus.couldNotJudge.rawValue
    }

    private static let output = Option(
        "--output", "FILE", "the suite; its catalogue of requirements is written next to it",
        short: "-o")
    private static let name = Option(
        "--name", "NAME", "the suite's name (default: that of the file)")
    private static let bodyFrom = Option(
        "--body-from", "MESSAGE",
        "the first message of the body (default: the one after the device's first request)")
    private static let force = Option("--force", nil, "overwrite existing files")
}
