import Capture
import Protocols
import Reports
import Runner
import Suites
import Trace
import Verdicts

extension Command {
    /// `conform check`: verdicts from captures, no device needed.
    static let check = Command(
        name: "check", operands: "SUITE CAPTURE ...",
        summary: "Judges saved captures by a suite.",
        options: CommonOptions.selection + [peer, device, PolicyOptions.known, reports]
    ) { arguments in
        guard let suitePath = arguments.operands.first, arguments.operands.count > 1 else {
            throw UsageError(
                "give a suite and at least one capture: conform check SUITE CAPTURE ...")
        }
        let captures = Array(arguments.operands.dropFirst())
        if isCapture(suitePath), !isCapture(captures[0]) {
            throw UsageError(
                "\(suitePath) is a capture; the suite comes first: conform check SUITE CAPTURE ...")
        }
        let suite = try SuiteLoader.load(
            path: suitePath, searchPath: arguments.all(CommonOptions.searchPath.name))
        try SelectionCheck(suites: [suite]).check(arguments)
        let check = CaptureCheck(
            suite: suite, selection: CommonOptions.selection(arguments),
            roles: try roles(arguments, suite: suite))
        let folder = arguments.value(reports.name) ?? ""
        let console = ConsoleReport(style: Terminal.style, folder: folder)
        if !folder.isEmpty { _ = try ReportFolder(creating: folder) }
        var run = try check.run(
            captures: captures, folder: folder,
            command: ["conform"] + CommandLine.arguments.dropFirst(),
            known: try PolicyOptions.known(arguments, suites: [suite])
        ) { StandardOutput.print(console.line($0)) }
        if !folder.isEmpty {
            var reporting = try RunReporting(folder: folder, junit: nil, run: run)
            run = reporting.finish(run, seconds: run.seconds, interruption: nil)
            reporting.failures.forEach { StandardError.print("conform: error: \($0)") }
        }
        run.casesInPlanOrder.flatMap(console.explanation).forEach { StandardOutput.print($0) }
        console.closing(run).forEach { StandardOutput.print($0) }
        return (run.exit ?? .couldNotJudge).rawValue
    }

    private static let reports = Option("--reports", "DIR", "write the reports into this folder")
    private static let peer = Option(
        "--peer", "NAME=ADDRESS:PORT", "which endpoint a peer of the suite has", repeats: true)

    private static let device = Option(
        "--device", "NAME=ADDRESS[:PORT]",
        "the address of a device of the case; without NAME= that of the one that every case has",
        repeats: true)

    private static func isCapture(_ path: String) -> Bool { (try? CaptureFile(path: path)) != nil }

    private static func roles(
        _ arguments: Arguments, suite: Suite
    ) throws(UsageError) -> CaptureCheck.Roles {
        var roles = CaptureCheck.Roles()
        for text in arguments.all(peer.name) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let endpoint = Endpoint(parts[1]) else {
                throw UsageError("\(peer.name) takes NAME=ADDRESS:PORT, not \"\(text)\"")
            }
            roles.peers[parts[0]] = endpoint
        }
        roles.devices = try devices(arguments, suite: suite)
        let names = Set(suite.cases.flatMap(\.peers).map(\.name))
        if let unknown = roles.peers.keys.sorted().first(where: { !names.contains($0) }) {
            throw UsageError(
                "the suite has no peer \(unknown); it has \(names.sorted().joined(separator: ", "))"
            )
        }
        return roles
    }

    private static func devices(
        _ arguments: Arguments, suite: Suite
    ) throws(UsageError) -> [Endpoint: String] {
        let names = Set(suite.cases.flatMap(\.deviceNames))
        var devices: [Endpoint: String] = [:]
        for text in arguments.all(device.name) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let name = parts.count == 2 ? parts[0] : Step.device
            guard let place = parts.last, let endpoint = endpoint(place) else {
                throw UsageError(
                    "\(device.name) takes NAME=ADDRESS or NAME=ADDRESS:PORT, not \"\(text)\"")
            }
            guard names.contains(name) else {
                throw UsageError(
                    "the suite has no device \(name); "
                        + "it has \(names.sorted().joined(separator: ", "))")
            }
            devices[endpoint] = name
        }
        return devices
    }

    /// An address with a port, or with any.
    private static func endpoint(_ text: String) -> Endpoint? {
        if let address = IPAddress(text) { return Endpoint(address: address, port: 0) }
        return Endpoint(text)
    }
}
