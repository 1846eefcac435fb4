import Results
import Wire

/// One `testcase` element.
struct JUnitCase: Sendable {
    /// The child element that contains the outcome.
    enum Child: Sendable {
        case none
        case failure
        case error
        case skipped
        case flaky
    }

    var classname: String
    var name: String
    var file: String
    var line: Int
    var seconds: Double
    /// The first and last nanosecond, if the start is known.
    var span: ClosedRange<Int64>?
    var child: Child
    var type: String
    /// The message, in one line.
    var message: String
    /// The lines below the message.
    var details: [String]
    /// The executions that did not pass, except the one in the child element.
    var reruns: [Rerun] = []
    var properties: [XMLWriter.Attribute]
    /// The lines of `system-out`; attachments come last.
    var output: [String]

    /// One execution of several.
    struct Rerun: Sendable {
        /// `rerunFailure` if the case finally does not pass, otherwise `flakyFailure`.
        var element: String
        var type: String
        /// The message, in one line.
        var message: String
    }

    var counts: JUnitCounts {
        JUnitCounts(
            tests: 1, failures: child == .failure ? 1 : 0, errors: child == .error ? 1 : 0,
            skipped: child == .skipped ? 1 : 0)
    }

    func write(to xml: inout XMLWriter, dialect: JUnitDialect) {
        let place: [XMLWriter.Attribute] =
            file.isEmpty || dialect == .surefire ? [] : [("file", file), ("line", String(line))]
        let attributes: [XMLWriter.Attribute] =
            [("name", name), ("classname", classname), ("time", NumberText.seconds(seconds))]
            + place
        xml.element("testcase", attributes) { xml in
            if !properties.isEmpty, dialect == .common {
                xml.element("properties", []) { xml in
                    for property in properties {
                        xml.element(
                            "property", [("name", property.name), ("value", property.value)])
                    }
                }
            }
            writeChild(to: &xml)
            if !output.isEmpty {
                xml.element("system-out", [], text: output.joined(separator: "\n") + "\n")
            }
        }
    }

    private func writeChild(to xml: inout XMLWriter) {
        let body = ([message] + details).joined(separator: "\n") + "\n"
        let attributes: [XMLWriter.Attribute] = [("message", message), ("type", type)]
        switch child {
        case .none: break
        case .failure: xml.element("failure", attributes, text: body)
        case .error: xml.element("error", attributes, text: body)
        case .skipped: xml.element("skipped", [("message", message)], text: message)
        case .flaky:
            xml.element("flakyFailure", attributes) { xml in
                xml.element("stackTrace", [], text: body)
            }
        }
        // Readers expect them directly after the child element that they belong to.
        for rerun in reruns {
            xml.element(rerun.element, [("message", rerun.message), ("type", rerun.type)]) { xml in
                xml.element("stackTrace", [], text: rerun.message + "\n")
            }
        }
    }
}

extension JUnitCase {
    /// The maximum length of the output of a passing case in bytes; Jenkins removes the middle of a
    /// longer one.
    private static let outputLimitOfPass = 500

    /// Returns the cases of one suite, with unique names for any results.
    static func cases(of results: [CaseResult], header: RunHeader) -> [JUnitCase] {
        var used: Set<String> = []
        return results.map { result in
            var testCase = JUnitCase(result, header: header)
            let name = testCase.name
            var number = 2
            while !used.insert(testCase.name).inserted {
                testCase.name = "\(name)#\(number)"
                number += 1
            }
            return testCase
        }
    }

    init(_ result: CaseResult, header: RunHeader) {
        let explanation = CaseExplanation(result: result, folder: header.folder, width: 120)
        let outcome = JUnitOutcome(result, strict: header.strict)
        classname = PlainText.line(result.suite)
        name = PlainText.line(result.id)
        file = PlainText.line(result.position.file)
        line = result.position.line
        seconds = result.seconds
        span = Self.span(of: result)
        child = outcome.child
        type = outcome.type
        message = outcome.message
        details = child == .skipped ? [] : explanation.lines()
        reruns = Self.reruns(of: result, child)
        properties = Self.properties(of: result)
        output = Self.output(of: result, explanation)
    }

    private static func span(of result: CaseResult) -> ClosedRange<Int64>? {
        guard let started = result.started, result.seconds.isFinite, result.seconds >= 0 else {
            return nil
        }
        let end = started + .milliseconds(Int64(min(result.seconds, 1e9) * 1000))
        return started.nanoseconds...max(started.nanoseconds, end.nanoseconds)
    }

    /// How many executions of one case are shown.
    private static let rerunsMax = 20

    /// Returns the executions that did not pass, except the one in the child element.
    private static func reruns(of result: CaseResult, _ child: Child) -> [Rerun] {
        guard child == .failure || child == .flaky, let executions = result.executions else {
            return []
        }
        let failed = executions.enumerated().filter {
            $0.element.verdict == .fail || $0.element.verdict == .inconclusive
        }
        // The child element contains the execution whose reason the case has, usually the first.
        let stated = failed.firstIndex { $0.element.summary == result.reason?.summary } ?? 0
        let others = failed.indices.filter { $0 != stated }.map { failed[$0] }
        return others.prefix(rerunsMax).map { number, execution in
            Rerun(
                element: child == .flaky ? "flakyFailure" : "rerunFailure",
                type: "conform.\(execution.verdict.rawValue)",
                message: PlainText.line(
                    "execution \(number + 1): " + (execution.summary ?? execution.verdict.rawValue))
            )
        }
    }

    private static func properties(of result: CaseResult) -> [XMLWriter.Attribute] {
        let verdict = result.verdict == .known ? "xfail" : result.verdict.rawValue
        var properties: [XMLWriter.Attribute] = [("conform.verdict", verdict)]
        if let code = result.reason?.code { properties.append(("conform.reason", code.rawValue)) }
        let checks = result.checks.map(\.requirement).joined(separator: " ")
        if !checks.isEmpty { properties.append(("conform.checks", PlainText.line(checks))) }
        properties += (result.measurements ?? []).map {
            ("conform.measured.\(PlainText.line($0.name))", PlainText.line($0.value))
        }
        if result.executions != nil, let remark = result.remarks.last {
            properties.append(("conform.executions", PlainText.line(remark)))
        }
        // Viewers that support this convention list the steps of a case; a pass does not need it.
        if result.verdict.isAlarming {
            properties += result.steps.prefix(stepsMax).map { step in
                ("step[\(word(step.outcome))]", PlainText.line(step.text))
            }
        }
        return properties
    }

    /// How many steps of one case are listed.
    private static let stepsMax = 100

    private static func word(_ outcome: StepResult.Outcome) -> String {
        switch outcome {
        case .done: "passed"
        case .failed: "failure"
        case .notReached: "skipped"
        }
    }

    private static func output(of result: CaseResult, _ explanation: CaseExplanation) -> [String] {
        let command = result.reproduce.map { ["reproduce: " + PlainText.line($0)] } ?? []
        let attachments = [result.capture, result.log].compactMap { $0 }
            .map(explanation.path).filter(isAttachable).map { "[[ATTACHMENT|\($0)]]" }
        guard result.verdict == .pass else { return command + attachments }
        var output: [String] = []
        var size = 0
        for line in attachments + command {
            size += line.utf8.count + 1
            if size <= outputLimitOfPass { output.append(line) }
        }
        return output.filter { command.contains($0) } + output.filter { !command.contains($0) }
    }

    /// Returns whether readers can find a file of that name; they cut it at `|` and `]]`.
    private static func isAttachable(_ path: String) -> Bool {
        PlainText.line(path) == path && !path.contains("|") && !path.contains("]]")
    }

    /// The suite of the case that reports an incomplete run.
    static let runSuite = "conform.run"

    /// Returns the case that reports an incomplete run; `nil` for a complete run.
    static func incomplete(_ run: RunResult, _ audit: Audit) -> JUnitCase? {
        guard let message = IncompleteRun.sentence(run, audit) else { return nil }
        return JUnitCase(
            classname: runSuite, name: "complete", file: "", line: 0, seconds: 0, span: nil,
            child: .error, type: "conform.not-run", message: message,
            details: audit.discrepancies.map(PlainText.line) + ["audit: " + AuditText.line(audit)],
            properties: [], output: [])
    }

    /// Returns the case that fails because of entries of the list of known failures; `nil` if all
    /// entries are valid.
    static func staleEntries(_ run: RunResult) -> JUnitCase? {
        guard let first = run.staleEntries.first else { return nil }
        return JUnitCase(
            classname: runSuite, name: "known-failures", file: "", line: 0, seconds: 0, span: nil,
            child: .failure, type: "conform.known-failures", message: PlainText.line(first),
            details: run.staleEntries.dropFirst().map(PlainText.line), properties: [], output: [])
    }
}

/// The child element for a verdict.
struct JUnitOutcome {
    var child: JUnitCase.Child
    var type: String
    var message: String

    init(_ result: CaseResult, strict: Bool) {
        let sentence = CaseExplanation.sentence(result)
        let code = result.reason.map { Self.type($0.code) } ?? "conform.error"
        switch result.verdict {
        case .pass: self.init(.none, "", "")
        case .fail: self.init(.failure, code, sentence)
        case .inconclusive:
            self.init(.error, "conform.inconclusive", Self.prefixed("inconclusive", sentence))
        case .none: self.init(.error, "conform.inconclusive", sentence)
        case .error: self.init(.error, code, sentence)
        case .skipped: self.init(.skipped, code, sentence)
        case .known: self.init(.skipped, code, Self.prefixed("known failure", sentence))
        case .flaky where strict:
            self.init(.failure, "conform.flaky", Self.prefixed("flaky", sentence))
        case .flaky: self.init(.flaky, code, sentence)
        }
    }

    private init(_ child: JUnitCase.Child, _ type: String, _ message: String) {
        self.child = child
        self.type = type
        self.message = message
    }

    private static func type(_ code: ReasonCode) -> String {
        code == .unexpectedPass ? "conform.xpass" : "conform.\(code.rawValue)"
    }

    private static func prefixed(_ word: String, _ sentence: String) -> String {
        sentence.hasPrefix(word) ? sentence : "\(word): \(sentence)"
    }
}
