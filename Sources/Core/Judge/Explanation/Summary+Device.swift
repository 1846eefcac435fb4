import SuiteLanguage
import Trace
import Wire

/// What happened to the device itself.
extension Summary {
    /// The probe that a hanging device does not answer.
    var hang: String { finding.message.map { Self.hang($0.message) } ?? "" }

    /// Returns the text of an event about a hanging device.
    static func hang(_ message: TraceMessage) -> String {
        message.content.fields["probe"]?.stringValue ?? "it does not answer"
    }

    /// The last output of the device, if the trace contains it.
    var lastWords: String {
        let lines = finding.message?.content.fields["log"]?.arrayValue?.compactMap(\.stringValue)
        guard let lines, !lines.isEmpty else { return "" }
        return "; its last output: " + lines.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    var exit: String {
        let fields = finding.message?.content.fields ?? .null
        if let signal = fields["signal"]?.integerValue {
            let name = Summary.signalNames[signal].map { " (\($0))" } ?? ""
            return "was killed by signal \(signal)\(name)"
        }
        return fields["code"]?.integerValue.map { "exited with code \($0)" } ?? "exited"
    }

    /// The advice that makes an end with code 0 not a failure.
    var freeToEnd: String {
        guard finding.message?.content.fields["code"]?.integerValue == 0,
            (finding.message?.message.content as? DeviceEvent)?.isExpected != true
        else { return "" }
        return "; if it may end by itself, write exit: expected in its profile"
    }

    /// Names of the signals that end processes, as Linux numbers them.
    private static let signalNames: [Int64: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT",
        7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM",
        15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
    ]
}
