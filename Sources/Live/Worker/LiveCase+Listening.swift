import Devices
import Offline
import Suites
import Trace
import Verdicts
import Wire

/// Devices that peers call: the case's clock starts once they listen, and each later life of theirs
/// has begun once it listens.
extension LiveCase {
    /// How often it is looked whether a device listens.
    static let lookForListener: Duration = .milliseconds(5)

    /// What judges the packets of the case from a moment on.
    static func trial(
        of testCase: TestCase, _ suite: Suite, parties: Parties, from start: Timestamp,
        scale: TimeScale = .real
    ) -> PacketJudge {
        var options = TraceOptions(suite.protocols)
        options.reportsSkippedAtOnce = true
        options.cutStreams(of: testCase.peers, at: parties.peers, scale: scale)
        options.decode(testCase.known.own)
        return PacketJudge(
            Judge(
                [PreparedCase(testCase, requirements: suite.requirements)], parties: parties,
                start: start), options: options)
    }

    /// Tells that a device has been started.
    mutating func tellStart(of device: String) throws {
        let started = DeviceEvent(name: DeviceEvent.started)
        try react(to: insert(started, of: device, at: WallClock.now))
    }

    /// Awaits that a device which is launched now listens.
    mutating func awaitListening(_ device: String) {
        awaited[device] = .now + profile.readyTimeout
    }

    /// Waits until every device listens or has ended, and begins the case then.
    mutating func beginWhenListening() throws {
        while !awaited.isEmpty && !devices.living.isEmpty || !devices.areCompanionsReady {
            try wait(until: WallClock.now + Self.lookForListener)
            // Before the device itself runs out of time to become ready: this says more.
            _ = try takeListening()
            try take(devices.advance())
        }
        start = WallClock.now
        told = start
        trial = Self.trial(
            of: testCase, suite, parties: stage.parties, from: start, scale: task.timeScale)
        for index in pendingEvents.indices { pendingEvents[index].time = start }
        for name in testCase.deviceNames { try tellStart(of: name) }
    }

    /// The devices that have come to listen since the last look, and are ready.
    mutating func takeListening() throws -> [String] {
        var listening: [String] = []
        for (name, limit) in awaited {
            guard let device = devices.device(name), device.isAlive else {
                awaited[name] = nil
                continue
            }
            let missing = Set(stage.ports(of: name)).filter { !$0.isOpen }
                .sorted { $0.number < $1.number }
            // A device that is silent until it is called has sent no packet.
            if missing.isEmpty, device.isReady || profile.readiness == .firstPacket {
                awaited[name] = nil
                listening.append(name)
            } else if limit < .now, !missing.isEmpty {
                throw notListening(on: missing)
            }
        }
        return listening
    }

    private func notListening(on ports: [DevicePort]) -> DeviceError {
        DeviceError(
            .notReady,
            "\(profile.name) is called by a peer and does not listen on "
                + "\(ports.map(\.description).joined(separator: ", ")) after \(profile.readyTimeout)",
            advice: "let \"launch\" tell it ${device.host} and ${device.port}, or look into its log"
        )
    }
}
