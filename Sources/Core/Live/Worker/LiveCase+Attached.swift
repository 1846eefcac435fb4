import Devices
import Offline
import SuiteLanguage
import Trace
import Wire

/// An attached device: the case begins when the device sends its first packet.
extension LiveCase {
    /// How often to check whether the device has come.
    private static let pollIntervalDevice: Duration = .milliseconds(20)

    /// Brings the device to its starting point, and waits for its first packet if that is needed.
    ///
    /// It is needed if the case begins with a message of the device. What it sends before the last
    /// of its controls has begun belongs to the time before the case.
    ///
    /// - Throws: `DeviceError` if a control fails, or if no packet comes within the time of
    ///   `ready`.
    mutating func awaitAttached() throws {
        guard let device = devices.attached else { return }
        while !device.mayCome {
            try wait(until: WallClock.now + Self.pollIntervalDevice)
            try consume(devices.advance())
        }
        try leaveEarlier()
        guard testCase.beginsWithDevice else {
            while !device.isReady {
                try wait(until: WallClock.now + Self.pollIntervalDevice)
                try consume(devices.advance())
            }
            return try react(to: begin(at: WallClock.now))
        }
        hasBegun = false
        let limit = ContinuousClock.now + profile.readyTimeout
        while !hasBegun, capture.fault == nil {
            try wait(until: WallClock.now + Self.pollIntervalDevice)
            try consume(devices.advance())
            // A peer that connects by itself connects to a device that is ready.
            if device.isReady { try peerHost.advance() }
            try peerHost.check()
            try drainCapture()
            guard hasBegun || capture.fault != nil || limit > .now else { throw notThere }
        }
        if !hasBegun { try react(to: begin(at: WallClock.now)) }
    }

    /// Excludes what was captured before the case, and ends the device's connections.
    ///
    /// The device then opens new ones.
    private mutating func leaveEarlier() throws {
        try wait(until: WallClock.now)
        try peerHost.resetAll()
        let now = WallClock.now
        try drainCapture(keeping: false)
        while capture.known(at: now) < now, capture.fault == nil {
            try wait(until: now)
            try drainCapture(keeping: false)
        }
    }

    private var notThere: DeviceError {
        DeviceError(
            .notReady,
            "\(profile.name) has sent nothing to the peers of the case within "
                + "\(profile.readyTimeout)",
            advice: "start it, let a control do so (attach: {before: [CONTROL]}), or give it more "
                + "time with ready: {timeout: TIME}")
    }

    /// Begins the case just before a given time.
    mutating func begin(at time: Timestamp) -> [PacketJudge.Observation] {
        hasBegun = true
        beginHere(at: time - .nanoseconds(1))
        for index in pendingEvents.indices { pendingEvents[index].time = start }
        return insert(
            .start(with: configuration(of: Step.device)), of: Step.device, at: start)
    }
}

extension TestCase {
    /// Whether the case does nothing before a message comes from the device or in answer to it.
    var beginsWithDevice: Bool {
        guard let first = (preamble + steps).plain.first else { return true }
        switch first.verb {
        case .perform, .send, .sendBytes, .wait: return false
        default: return true
        }
    }
}
