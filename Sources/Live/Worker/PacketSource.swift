import Capture
import Devices
import Offline
import Suites
import Trace
import Verdicts
import Wire

/// Where the packets of a case come from.
protocol PacketSource: AnyObject {
    /// What they are captured on, in the order of `Packet.interface`.
    var interfaces: [CaptureInterface] { get }
    /// What to poll for input.
    var pollDescriptors: [Int32] { get }
    /// Whether they come from elsewhere, by whatever way.
    var isElsewhere: Bool { get }
    /// Packets that were lost, as far as that is counted; complete after `stop`.
    var lostCount: Int { get }
    /// Why nothing more comes, as found by the last `take`; `nil` while it goes on.
    var fault: InconclusiveFinding? { get }
    /// Why nothing of the case counts; complete after `stop`.
    var inconclusiveFindings: [InconclusiveFinding] { get }
    /// What a reader of the report should know.
    var remarks: [String] { get }

    /// Hands over packets that have come; returns whether others wait.
    func take(_ body: (borrowing Packet) -> Void) throws -> Bool
    /// Up to when all that was captured has been handed over, by the clock of this machine.
    func known(at now: Timestamp) -> Timestamp
    /// Does what shows what has been captured; returns when it is due again, `nil` for never.
    func ask(isUrgent: Bool) -> Duration?
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

    func take(_ body: (borrowing Packet) -> Void) throws -> Bool {
        try drain(limit: Self.drainPacketsMax, body) == Self.drainPacketsMax
    }

    func known(at now: Timestamp) -> Timestamp { now }
    func ask(isUrgent: Bool) -> Duration? { nil }
}

extension Stage {
    /// Begins to capture what the peers and the devices of a case exchange.
    ///
    /// - Parameter profile: The device's, which may say that it is captured elsewhere.
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
                    source, bench, sieve(bench))
            }
        }
        return sources.count == 1 ? sources[0] : JoinedSource(sources)
    }

    /// The connections of peers whose beginnings are not in the trace, a phrase each.
    var unseenConnections: [String] {
        actors.flatMap { actor in
            actor.posts.filter { !$0.isDatagram }.flatMap { post in
                post.port.connections.filter { opened[post.endpoint]?.contains($0) != true }.map {
                    "the connection of peer \(actor.peer.name) with \($0.address) port \($0.port)"
                }
            }
        }
    }

    private func sieve(_ bench: StageNetwork.Bench) -> PacketSieve {
        let posts = actors.flatMap(\.posts)
        return PacketSieve(
            device: bench.device, ports: Set(posts.map { ($0.callee ?? $0.endpoint).port }),
            groups: posts.flatMap { post in
                post.groups.map { (post.endpoint.address, $0.address) }
            })
    }
}
