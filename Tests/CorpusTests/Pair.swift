import Results
import TCPIP
import Verdicts
import Wire

/// A case and a trace, and what a person says must come of it.
struct Pair {
    /// What stands below a `trace` line, before the verdict.
    struct Verdict {
        /// `nil` if the capture must be refused.
        var verdict: Results.Verdict?
        /// `nil` for a pass.
        var code: ReasonCode?
        /// The requirements that must be cited; `nil` if nothing is said of them.
        var requirements: [String]?
        /// What the sentence, the expected or the actual text must hold.
        var words: [String]
    }

    /// The case's id.
    var testCase: String
    /// What is wrong with the trace.
    var name: String
    /// The line of the file where it begins.
    var line: Int
    var capture = CaptureConditions()
    var script: [ScriptLine] = []
    /// What a person says must come of it.
    var verdict: Verdict?
}

/// How the capture of a trace is unlike a whole one that a live run has saved.
struct CaptureConditions {
    /// Whether another tool made it: no metadata, no events.
    var isForeign = false
    /// Packets that it says it lost.
    var dropped = 0
    /// Bytes that are cut off at the end of the file.
    var cut = 0
    /// When judging ended, in seconds; a good while after the last line unless it is said.
    var end: Double?
    var cause = EndCause.completed
    /// By how much the clock was set.
    var clockStep: Double?
    /// What the device's parameters were.
    var parameters: Value?
}

/// One line of a trace.
struct ScriptLine {
    /// What a line has to do with the verdict.
    enum Mark: Hashable {
        /// It shows the failure: its frames are those of the explanation.
        case culprit
        /// It is the nearest miss.
        case nearest
        /// The step of that number takes it.
        case taken(Int)
        case none
    }

    enum Content {
        /// The three segments of a handshake, and StartService unless it is bare.
        case opening(isBare: Bool)
        /// A segment without payload.
        case segment(TCPFlags)
        /// Bytes as they are.
        case bytes([UInt8], Portion)
        /// A message; `portion` says how much of it goes out.
        case message(String, Value, Portion)
        /// ICMP says that the other side's last segment could not be delivered; an address if a
        /// router says so, not the host itself.
        case unreachable(IPAddress?)
        /// The sender's last segment once more.
        case again
        /// What the harness says, such as `device.exited`.
        case event(String, Value)
    }

    enum Portion: String {
        case whole
        /// It is sent and received, but not captured.
        case lost
        /// Only the first half of its bytes.
        case half
    }

    var number: Int
    /// When it comes, in seconds; of two segments the first.
    var time: Double
    /// When its second half comes; `nil` if it comes in one segment.
    var endTime: Double?
    var mark: Mark
    var sender: String
    var receiver: String
    var content: Content
}
