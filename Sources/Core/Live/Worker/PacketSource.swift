import Capture
import Devices
import Judge
import Offline
import SuiteLanguage
import Trace
import Wire

/// A source of the packets of a case.
protocol PacketSource: AnyObject {
    /// The interfaces of the capture, in the order of `Packet.interface`.
    var interfaces: [CaptureInterface] { get }
    /// The descriptors to poll for input.
    var pollDescriptors: [Int32] { get }
    /// Whether the packets are captured elsewhere, in any way.
    var isElsewhere: Bool { get }
    /// How many packets were lost, as far as that is counted; complete after `stop`.
    var lostCount: Int { get }
    /// Why no more packets come, as found by the last `take`; `nil` while the capture continues.
    var fault: InconclusiveFinding? { get }
    /// Why nothing in the case counts; complete after `stop`.
    var inconclusiveFindings: [InconclusiveFinding] { get }
    /// What a reader of the report should know.
    var remarks: [String] { get }

    /// Delivers packets that have arrived; returns whether others wait.
    func consume(_ body: (borrowing Packet) -> Void) throws -> Bool
    /// Returns the time, by this machine's clock, up to which everything has been delivered.
    func known(at now: Timestamp) -> Timestamp
    /// Sends a probe that shows what has been captured, if one is due.
    ///
    /// Returns how long it is until the next is due; `nil` if there is never one.
    func probe(isUrgent: Bool) -> Duration?
    /// Ends the capture.
    func stop()
}

/// The capture of an interface of this machine.
extension LiveCapture: PacketSource {
    var interfaces: [CaptureInterface] {
        [CaptureInterface(name: interface, linkType: linkType, snapshotLength: snapshotLength)]
    }
    var pollDescriptors: [Int32] { [fileDescriptor] }
    var isElsewhere: Bool { false }
    var lostCount: Int { Int(clamping: statistics.dropped) }
    var fault: InconclusiveFinding? { nil }
    var inconclusiveFindings: [InconclusiveFinding] { [] }
    var remarks: [String] { [] }

    func consume(_ body: (borrowing Packet) -> Void) throws -> Bool {
        try drain(limit: Self.drainPacketsMax, body) == Self.drainPacketsMax
    }

    func known(at now: Timestamp) -> Timestamp { now }
    func probe(isUrgent: Bool) -> Duration? { nil }
}

extension PeerHost {
    /// Begins to capture what the peers and the devices of a case exchange.
    ///
    /// - Parameter profile: The device's profile, which may define a capture made elsewhere.
    func capture(for profile: DeviceProfile) throws -> any PacketSource {
        guard let bench = network.bench else {
            return try LiveCapture(
                interface: "lo", filter: network.usesOwnPorts ? programFilter : captureFilter)
        }
        let wanted = profile.capture ?? [.init(origin: .interface(bench.interface))]
        let sources = try wanted.map { source -> any PacketSource in
            switch source.origin {
            case .interface(let name): try LiveCapture(interface: name, filter: captureFilter)
            case .command(let words):
                try ProgramSource(
                    CaptureProgram(words, of: profile, variables: variables(for: Step.device)),
                    source, bench, selector(bench))
            }
        }
        return sources.count == 1 ? sources[0] : JoinedSource(sources)
    }

    /// The connections of peers that do not begin in the trace, a phrase each.
    var unseenConnections: [String] {
        hostedPeers.flatMap { actor in
            actor.meetingPoints.filter { !$0.isDatagram }.flatMap { meetingPoint in
                meetingPoint.port.connections.filter {
                    opened[meetingPoint.endpoint]?.contains($0) != true
                }.map {
                    "the connection of peer \(actor.peer.name) with \($0.address) port \($0.port)"
                }
            }
        }
    }

    private func selector(_ bench: CaseNetwork.Bench) -> PacketSelector {
        let meetingPoints = hostedPeers.flatMap(\.meetingPoints)
        return PacketSelector(
            device: bench.device, ports: Set(meetingPoints.map { ($0.callee ?? $0.endpoint).port }),
            groups: meetingPoints.flatMap { meetingPoint in
                meetingPoint.groups.map { (meetingPoint.endpoint.address, $0.address) }
            }, peers: Set(meetingPoints.map(\.endpoint.address)))
    }
}
