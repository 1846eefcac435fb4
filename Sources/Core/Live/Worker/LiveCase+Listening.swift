import Devices
import Judge
import Offline
import SuiteLanguage
import Trace
import Wire

/// Devices that peers connect to.
///
/// The case's clock starts once they listen, and each later life of theirs begins once it listens.
extension LiveCase {
    /// How often to check whether a device listens.
    static let pollIntervalListener: Duration = .milliseconds(5)

    /// Creates the judge of the packets of the case from a given time on.
    static func makeJudge(
        of testCase: TestCase, _ suite: Suite, parties: Parties, from start: Timestamp,
        scale: TimeScale = .real, secrets: DecryptionSecrets
    ) -> PacketJudge {
        var options = TraceOptions(suite.protocols)
        options.secrets = secrets
        options.reportsSkippedAtOnce = true
        options.cutStreams(of: testCase.peers, at: parties, scale: scale)
        options.decode(testCase.known.own)
        return PacketJudge(
            Judge(
                [PreparedCase(testCase, requirements: suite.requirements)], parties: parties,
                start: start), options: options)
    }

    /// Records that a device has been started.
    mutating func announceStart(of device: String) throws {
        let started = DeviceEvent.start(with: configuration(of: device))
        try react(to: insert(started, of: device, at: WallClock.now))
    }

    /// Waits from now on for a device that is being launched to listen.
    mutating func awaitListening(_ device: String) {
        awaited[device] = .now + profile.readyTimeout
    }

    /// Waits until every device listens or has ended, then begins the case.
    mutating func beginWhenListening() throws {
        // A device that has ended is what the case is about, and not the companion that waits for it.
        while !devices.living.isEmpty, !awaited.isEmpty || !devices.areCompanionsReady {
            try wait(until: WallClock.now + Self.pollIntervalListener)
            // Checked before the device's own time to become ready ends, because this error says
            // more.
            _ = try takeListening()
            try consume(devices.advance())
        }
        beginHere()
        for index in pendingEvents.indices { pendingEvents[index].time = start }
        for name in testCase.deviceNames { try announceStart(of: name) }
    }

    /// Returns the devices that have begun to listen since the last call, and are ready.
    mutating func takeListening() throws -> [String] {
        var listening: [String] = []
        for (name, limit) in awaited {
            guard let device = devices.device(name), device.isAlive else {
                awaited[name] = nil
                continue
            }
            let missing = Set(peerHost.ports(of: name)).filter { !$0.isOpen }
                .sorted { $0.number < $1.number }
            // A device that sends nothing until a peer connects has sent no first packet.
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
            advice: "pass it ${device.host} and ${device.port} in \"launch\", or look into its log"
        )
    }
}
