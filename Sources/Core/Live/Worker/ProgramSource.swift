import Capture
import Devices
import Glibc
import Judge
import Offline
import PeerKit
import TCPIP
import Trace
import Wire

/// Packets that a program captures elsewhere, with times by the clock of this machine.
///
/// No packet is treated as missing before the capture has shown something later. A capture that
/// stops showing packets, ends, or has lost packets makes the case inconclusive.
final class ProgramSource: PacketSource {
    /// How far the capture's clock is ahead, and how far single probes differ from that.
    ///
    /// Both in nanoseconds.
    private struct Clock {
        let ahead: Int64
        let spread: Int64
    }

    private let name: String
    private let program: CaptureProgram
    private let stream: StreamCapture
    private let probes: CaptureProbes
    private let selector: PacketSelector
    private let patience: Duration
    private var clock = Clock(ahead: 0, spread: 0)
    /// The interface of the capture that shows probes.
    private var interface: Int?
    /// The time of the last packet that has been seen, by the clock of this machine.
    private var horizon = Timestamp(nanoseconds: 0)
    private var lastProbe: Int?
    private var isMeasured = false
    private var missingCount = 0
    private var packetCount = 0
    /// How far the clock was ahead, by the last probes.
    private var readings: [Int64] = []
    private var isStopped = false
    private(set) var fault: InconclusiveFinding?

    private static let readingCount = 5
    /// How far the clock of the capture may seem to move because probes take time.
    private static let driftMax: Int64 = 50_000_000
    /// A difference of clocks that is too small to be reported, in nanoseconds.
    private static let equalMax: Int64 = 1_000_000
    /// How long a program may take to end.
    private static let grace: Duration = .seconds(2)

    /// Waits until the capture shows the first probes.
    ///
    /// - Parameters:
    ///   - program: The capturing program.
    ///   - source: The profile's settings for it.
    ///   - bench: The network of the device.
    ///   - sieve: Selects the packets of the case.
    /// - Throws: `WorkerError` if the probes are not shown within the source's time.
    init(
        _ program: CaptureProgram, _ source: DeviceProfile.CaptureSource,
        _ bench: CaseNetwork.Bench, _ selector: PacketSelector
    ) throws {
        self.program = program
        self.selector = selector
        let words = program.words.joined(separator: " ")
        name = "the capture by \"\(words.prefix(60))\(words.count > 60 ? "…" : "")\""
        patience = source.timeout
        stream = try StreamCapture(copying: program.output, path: name)
        let device = PeerConnection(address: bench.device, port: Self.discardPort)
        probes = try CaptureProbes(
            from: bench.own[0],
            to: source.probe.map { PeerConnection(address: $0.address, port: $0.port) } ?? device)
        try measure()
    }

    /// The discard port (RFC 863).
    ///
    /// Usually nobody listens there, and a listener discards what it receives.
    private static let discardPort: UInt16 = 9

    var interfaces: [CaptureInterface] {
        guard let interface, stream.interfaces.indices.contains(interface) else { return [] }
        let found = stream.interfaces[interface]
        return [
            CaptureInterface(
                name: program.words.first, linkType: found.linkType,
                snapshotLength: found.snapshotLength)
        ]
    }
    var pollDescriptors: [Int32] { [stream.fileDescriptor] }
    var isElsewhere: Bool { true }
    var lostCount: Int {
        let counted = stream.interfaces.compactMap(\.dropped).reduce(0) { max($0, $1) }
        return Int(clamping: counted) + (isStopped ? program.droppedCount : 0)
    }

    var inconclusiveFindings: [InconclusiveFinding] {
        var inconclusiveFindings = [fault].compactMap(\.self)
        if missingCount > 0 {
            inconclusiveFindings.append(
                InconclusiveFinding(
                    .captureLoss,
                    "\(name) lacks \(missingCount) of \(probes.sent.count) packets that conform sent "
                        + "to \(place): it, or the network, has lost packets"))
        }
        if isMeasured, let now = readings.min(), (now - clock.ahead).magnitude > Self.driftMax {
            inconclusiveFindings.append(
                InconclusiveFinding(
                    .lateHarness,
                    "the clock of \(name) was set by \(seconds(now - clock.ahead)) during the case"
                ))
        }
        return inconclusiveFindings
    }

    var remarks: [String] {
        guard isMeasured else { return [] }
        let ahead = clock.ahead
        let difference =
            abs(ahead) < Self.equalMax
            ? "agrees"
            : "is \(seconds(abs(ahead))) \(ahead < 0 ? "behind" : "ahead"), which is corrected"
        return [
            "\(name) was used; its clock \(difference) (within "
                + "\(max(1, (clock.spread + 999_999) / 1_000_000)) ms)"
        ]
    }

    private var place: String { "\(target.address) port \(target.port)" }
    private var target: PeerConnection { probes.target }

    private func seconds(_ nanoseconds: Int64) -> String {
        "\((Double(nanoseconds) / 1_000_000).rounded() / 1000) s"
    }

    // MARK: - The stream

    func consume(_ body: (borrowing Packet) -> Void) -> Bool {
        stream.drain { packet in
            record(packet)
            guard packet.interface == interface, isMeasured else { return }
            horizon = max(horizon, Timestamp(nanoseconds: packet.timestamp - clock.ahead))
            guard !isStopped, selector.holds(packet) else { return }
            packetCount += 1
            body(Packet(packet, index: packetCount, interface: 0, ahead: clock.ahead))
        }
        program.listen()
        if fault == nil, !isStopped { fault = loss.map { InconclusiveFinding(.captureLoss, $0) } }
        return false
    }

    /// Why no more packets come.
    private var loss: String? {
        switch stream.ending {
        case .closed: return "\(name) has ended: \(program.ending)"
        case .failed(let error):
            return "\(name) cannot be read (\(error.detail)): \(program.ending)"
        case nil: break
        }
        let next = (lastProbe ?? -1) + 1
        guard isMeasured, next < probes.sent.count,
            WallClock.now - probes.sent[next] > patience
        else { return nil }
        return "\(name) has not shown for \(patience) what conform sent to \(place)"
    }

    private func record(_ packet: borrowing Packet) {
        guard let number = probes.number(in: packet), number > lastProbe ?? -1,
            interface ?? packet.interface == packet.interface
        else { return }
        if let lastProbe { missingCount += number - lastProbe - 1 }
        lastProbe = number
        interface = packet.interface
        readings.append(packet.timestamp - probes.sent[number].nanoseconds)
        if readings.count > Self.readingCount { readings.removeFirst() }
    }

    /// Measures how far the clock of the capture is ahead.
    private func measure() throws {
        let limit = ContinuousClock.now + patience
        while readings.count < Self.readingCount {
            guard .now < limit else {
                throw WorkerError(
                    detail: lastProbe == nil && stream.interfaces.isEmpty
                        ? "\(name) has written no capture within \(patience)"
                        : "\(name) has shown within \(patience) too few of the UDP packets that "
                            + "conform sends to \(place) to compare clocks; let its filter take "
                            + "them, or name another address on its way (capture: {probe: ...})")
            }
            let pause = probes.probe(isUrgent: true)
            wait(pause)
            _ = consume { _ in }
            if let fault { throw WorkerError(detail: fault.text) }
        }
        // The shortest delay is the most accurate measurement.
        let least = readings.min() ?? 0
        clock = Clock(ahead: least, spread: (readings.max() ?? 0) - least)
        isMeasured = true
        missingCount = 0
    }

    private func wait(_ pause: Duration) {
        var ready = pollfd(fd: stream.fileDescriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, Int32(pause / .milliseconds(1)) + 1)
    }

    func known(at now: Timestamp) -> Timestamp { min(now, horizon + LiveCase.captureLag) }

    func probe(isUrgent: Bool) -> Duration? { probes.probe(isUrgent: isUrgent) }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        program.interrupt()
        let limit = ContinuousClock.now + Self.grace
        while stream.ending == nil, .now < limit {
            wait(.milliseconds(50))
            _ = consume { _ in }
        }
    }
}
