import Results
import SuiteLanguage
import Trace
import Wire

/// Something that the harness must do now because a step demands it.
///
/// The matcher never returns the same demand twice. Offline, demands are dropped and the matcher
/// looks for their evidence in the trace.
public enum Demand: Sendable {
    /// A peer sends a message.
    case send(Send)
    /// A peer or the device's upper tester acts.
    case perform(Action)

    /// A message that a peer sends.
    public struct Send: Sendable {
        /// The step that demands it.
        public var step: StepReference
        /// The message's name.
        public var message: String
        /// The peer that sends it.
        public var from: String
        /// The party that receives it; `nil` for the one that the peer communicates with.
        public var to: String?
        /// The evaluated fields that replace those of the peer's default; `nil` removes a field.
        public var fields: [(FieldPath, Value?)]
        /// The message that it answers; `nil` if the step does not answer one.
        public var answering: TraceMessage?
        /// The message on whose connection it goes; `nil` for that of `answering`, or the latest.
        public var connection: TraceMessage?
        /// The bytes that are sent instead of a message; `nil` if `message` is sent.
        public var bytes: [UInt8]?
        /// The bytes of the message, if the suite describes its protocol; `nil` if the peer makes them.
        public var encoded: [UInt8]?
        /// Whether no message shows that it was sent.
        public var isUnseen = false
        /// How the message's bytes are corrupted before they are sent.
        public var corruption: Corruption?
        /// The size in bytes of the TCP segments; `nil` for the kernel's.
        public var segmentSize: Int?

        /// Whether its bytes must be looked for in the stream, because no message shows them.
        public var needsMark: Bool { bytes != nil || corruption != nil }
    }

    /// A peer's action or a device control.
    public struct Action: Sendable {
        /// The step that demands it.
        public var step: StepReference
        /// The peer's name, or `device`.
        public var party: String
        /// The action's name, such as `close`.
        public var name: String
        /// Its evaluated arguments; null if there are none.
        public var arguments: Value
    }
}

/// The position of a step in the case.
public struct StepReference: Sendable, Hashable, Codable {
    /// The part of the case.
    public var part: StepResult.Part
    /// The position in that part, counted from 0.
    public var index: Int
    /// The number in reports, counted from 1 over preamble and body.
    public var number: Int
}
