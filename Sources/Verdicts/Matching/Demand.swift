import Results
import Suites
import Trace
import Wire

/// Something that the harness has to do now because a step says so.
///
/// The matcher never returns the same demand twice; offline, demands are dropped and the matcher
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
        /// Who receives it; `nil` for whoever the peer talks to.
        public var to: String?
        /// The fields that replace those of the peer's default, evaluated; `nil` takes one out.
        public var fields: [(FieldPath, Value?)]
        /// The message that it answers; `nil` if the step does not answer one.
        public var answering: TraceMessage?
        /// The message on whose connection it goes; `nil` for that of `answering`, or the latest.
        public var connection: TraceMessage?
        /// What goes out in place of a message; `nil` if `message` does.
        public var bytes: [UInt8]?
        /// The bytes of the message, if the suite describes its protocol; `nil` if the peer makes them.
        public var encoded: [UInt8]?
        /// Whether no message shows that it was sent.
        public var isUnseen = false
        /// What is done to the message's bytes before they go out.
        public var corruption: Corruption?
        /// The size in bytes of the TCP segments; `nil` for the kernel's.
        public var segmentSize: Int?

        /// Whether its bytes have to be looked for in the stream, because no message shows them.
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
        /// What it is given, evaluated; null if nothing.
        public var arguments: Value
    }
}

/// A step by its place in the case.
public struct StepReference: Sendable, Hashable, Codable {
    /// The part of the case.
    public var part: StepResult.Part
    /// The position in that part, counted from 0.
    public var index: Int
    /// The number under which reports name it: counted from 1 over preamble and body.
    public var number: Int

    /// Makes a reference.
    public init(part: StepResult.Part, index: Int, number: Int) {
        self.part = part
        self.index = index
        self.number = number
    }
}
