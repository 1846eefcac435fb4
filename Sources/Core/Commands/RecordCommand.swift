import Offline
import Reporting
import Results
import SuiteLanguage
import System

extension Command {
    /// `conform record`: makes a suite from golden captures.
    static let record = Command(
        name: "record", operands: "CAPTURE ...",
        summary: "Makes a suite from golden captures: it requires what they have in common.",
        example: "record golden.pcap -o suite.yaml",
        options: [
            output, name, bodyFrom, CommonOptions.peer, CommonOptions.described, cutting, force,
            CaptureOptions.limit,
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
                stream: try arguments.value(cutting.name).map {
                    try RecordedStream($0, arguments.protocols)
                },
                known: try CommonOptions.known(arguments)))
        for file in [recording.suite, recording.catalogue] {
            guard arguments.has(force.name) || !ReportOptions.isThere(file.path) else {
                throw UsageError(
                    "\(file.path) is there already; choose another --output, "
                        + "or overwrite it with \(force.name)")
            }
        }
        let outcomes = try recording.check()
        outcomes.forEach { StandardOutput.print($0.description) }
        guard outcomes.allSatisfy(\.isPass) else {
            StandardError.print(
                "conform: error: nothing is written, because the recorded suite does not pass on "
                    + "what it was recorded from; the lines above say what a capture lacks")
            return ExitStatus.couldNotJudge.rawValue
        }
        for file in [recording.suite, recording.catalogue] {
            try ReportFile.write(file.text, to: file.path)
        }
        recording.remarks.forEach { StandardOutput.print($0) }
        StandardOutput.print("suite: \(recording.suite.path)")
        StandardOutput.print("requirements to replace: \(recording.catalogue.path)")
        StandardOutput.print("next: \(recording.nextCommand)")
        return 0
    }

    private static let output = Option(
        "--output", "FILE", "the suite; its catalogue of requirements is written next to it",
        short: "-o")
    private static let name = Option(
        "--name", "NAME", "the suite's name (default: that of the file)")
    private static let bodyFrom = Option(
        "--body-from", "MESSAGE",
        "the first message of the body (default: the one after the device's first request)")
    private static let cutting = Option(
        "--stream", "CUTTING",
        "where the messages of a plain protocol over TCP end, as \"stream\" of a peer says it: "
            + "'until: \"\\n\"'")
    private static let force = Option("--force", nil, "overwrite existing files")
}
