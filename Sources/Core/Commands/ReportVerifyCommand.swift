import Capture
import Judge
import Offline
import Reporting
import Results
import SuiteLanguage
import System
import Wire

extension Command {
    /// `conform report verify`: checks whether a stored run matches its captures.
    static let reportVerify = Command(
        name: "report verify", operands: "FOLDER",
        summary: "Checks a stored run: digests, audit, and its captures judged again.",
        example: "report verify Reports/ci", options: []
    ) { arguments in
        guard arguments.operands.count == 1 else {
            throw UsageError("give one run: its report folder or its results.json")
        }
        let stored = try StoredRun(arguments.operands[0])
        var verification = try RunVerification(stored)
        let words = stored.run.header.command.dropFirst()
        do {
            switch words.first {
            case "run", "report":
                try judgeLive(stored, arguments.protocols, &verification)
                if stored.run.cases.contains(where: { $0.subject != nil }) {
                    verification.record(
                        unjudged:
                            "the results of conform check in a merged run; verify the folders "
                            + "that were merged")
                }
            case "check":
                try judgeChecked(
                    stored, words.dropFirst(), arguments.protocols, &verification)
            default: verification.record(unjudged: "nothing shows how the captures were judged")
            }
        } catch {
            verification.record(unjudged: "the captures cannot be judged again: \(error)")
        }
        verification.lines.forEach { StandardOutput.print($0) }
        return verification.exit.rawValue
    }

    private static func judgeLive(
        _ stored: StoredRun, _ protocols: ProtocolRegistry,
        _ verification: inout RunVerification
    ) throws {
        let searchPath = try ProjectFile.find()?.includes ?? []
        for summary in stored.run.header.suites {
            let captures = verification.captures(of: summary.id)
            guard !captures.isEmpty else { continue }
            do throws(InvalidInput) {
                let suite = try SuiteLoader(protocols).load(
                    path: summary.file, searchPath: searchPath)
                var options = CaptureCheck.Options(protocols)
                options.parameters = ParameterOverrides(searchPath: searchPath)
                verification.compare(live: judged(captures.map { [$0] }, suite, options))
            } catch {
                verification.record(
                    unjudged: "suite \(summary.file): "
                        + error.diagnostics.map(\.description).joined(separator: "; "))
            }
        }
    }

    private static func judgeChecked(
        _ stored: StoredRun, _ words: ArraySlice<String>, _ protocols: ProtocolRegistry,
        _ verification: inout RunVerification
    ) throws {
        var arguments = try Arguments(words, for: .check, protocols)
        try ProjectFile.find()?.complete(&arguments, for: .check)
        guard !CaptureList.hasListFromInput(arguments), !CaptureList.isResuming(arguments) else {
            return verification.record(
                unjudged: "the command line does not show which captures were judged")
        }
        let request = try CheckRequest(arguments)
        guard !request.captures.joined().contains(where: CaptureFile.isStream) else {
            return verification.record(unjudged: "a capture came from the standard input or a pipe")
        }
        var options = request.options
        options.following = nil
        let known = try PolicyOptions.known(arguments, suites: [request.suite])
        let selection = CommonOptions.selection(arguments)
        verification.compare(
            checked: judged(request.captures, request.suite, options, selection, known))
    }

    private static func judged(
        _ captures: [[String]], _ suite: Suite, _ options: CaptureCheck.Options,
        _ selection: CaseSelection = .init(), _ known: KnownFailurePolicy? = nil
    ) -> [CaseResult] {
        CaptureCheck(suite: suite, selection: selection, options: options)
            .run(captures: captures, folder: "", command: [], known: known) { _, _ in }.cases
    }
}
