import Suites
import Trace

/// Who is who in a trace: which endpoint belongs to which party of the suite.
public struct Parties: Sendable {
    /// The peers' endpoints; every other endpoint that talks to one of them is the device.
    public var peers: [Endpoint: String]

    /// Makes a mapping.
    public init(peers: [Endpoint: String]) {
        self.peers = peers
    }

    /// The party at an endpoint that takes part in `message`.
    public func sender(of message: TraceMessage) -> String? {
        party(at: message.source, facing: message.destination)
    }

    /// The party that receives `message`.
    public func receiver(of message: TraceMessage) -> String? {
        party(at: message.destination, facing: message.source)
    }

    private func party(at endpoint: Endpoint?, facing other: Endpoint?) -> String? {
        guard let endpoint else { return nil }
        if let peer = peers[endpoint] { return peer }
        guard let other, peers[other] != nil else { return nil }
        return Step.device
    }
}
