import Judge
import Results
import TCPIP
import Wire

/// A case and a trace, with the outcome that a person expects.
struct Pair {
    /// The expected outcome, as written below a `trace` line.
    struct Verdict {
        /// `nil` if the capture must be refused.
        var verdict: Results.Verdict?
        /// `nil` for a pass.
        var code: ReasonCode?
        /// The requirements that must be cited; `nil` if they are not given.
        var requirements: [String]?
        /// The words that the sentence, the expected or the actual text must contain.
        var words: [String]
    }

    /// The id of the case.
    var testCase: String
    /// What is wrong with the trace.
    var name: String
    /// The line of the file where the pair begins.
    var line: Int
    var capture = CaptureConditions()
    var script: [ScriptLine] = []
    /// The outcome that a person expects.
    var verdict: Verdict?
}

/// How the capture of a trace differs from a complete one that a live run has saved.
struct CaptureConditions {
    /// Whether another tool recorded it: no metadata, no events.
    var isForeign = false
    /// The number of packets that the capture reports as lost.
    var dropped = 0
    /// The number of bytes that are cut off at the end of the file.
    var cut = 0
    /// The end of judging, in seconds; without it, long after the last line.
    var end: Double?
    var cause = EndCause.completed
    /// The amount by which the clock was set.
    var clockStep: Double?
    /// The parameters of the device.
    var parameters: Value?
}

/// A line of a trace.
struct ScriptLine {
    /// The relation of a line to the verdict.
    enum Mark: Hashable {
        /// The line shows the failure: its frames are those of the explanation.
        case culprit
        /// The line is the nearest miss.
        case nearest
        /// The step of that number takes the line.
        case taken(Int)
        case none
    }

    enum Content {
        /// The three segments of a handshake, and StartService unless it is bare.
        case opening(isBare: Bool)
        /// A segment without payload.
        case segment(TCPFlags)
        /// Unchanged bytes.
        case bytes([UInt8], Portion)
        /// A message, of which `portion` is sent.
        case message(String, Value, Portion)
        /// An ICMP message that the other side's last segment could not be delivered.
        ///
        /// The address is that of the router that reports it; `nil` if the host itself does.
        case unreachable(IPAddress?)
        /// The sender's last segment again.
        case again
        /// An event of the harness, such as `device.exited`.
        case event(String, Value)
    }

    enum Portion: String {
        case whole
        /// The line is sent and received, but not captured.
        case lost
        /// Only the first half of its bytes.
        case half
    }

    var number: Int
    /// The time of the line in seconds; of two segments, the time of the first.
    var time: Double
    /// The time of the second half; `nil` if the line is one segment.
    var endTime: Double?
    var mark: Mark
    var sender: String
    var receiver: String
    var content: Content
}
