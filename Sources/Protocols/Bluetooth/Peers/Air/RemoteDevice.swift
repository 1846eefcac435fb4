import Bluetooth

/// A link between a host's controller and a device on the air.
package struct AirLink: Sendable, Hashable {
    /// The number of the host's connection to the controller.
    package let host: Int
    /// The handle of the link at the host's controller.
    package let handle: UInt16
}

/// A command of a remote device to the air.
package enum AirCommand: Sendable, Hashable {
    /// Send a unit; `pieces` is the number of bytes in an ACL packet, if fewer than the link's.
    ///
    /// With `after` it is sent that many nanoseconds later, and not before another one with `after`
    /// on the same link: answers come in the order of their requests.
    case send(AirLink, L2CAPFrame, after: Int64? = nil, pieces: Int? = nil)
    /// End a link, for a reason of Core 5.4 Vol 1 Part F 2.
    case end(AirLink, reason: UInt8)
    /// Report to the host's controller whether the encryption that it requested is on.
    case encrypted(AirLink, status: UInt8)
    /// Page the hosts that are present over BR/EDR.
    case page
}

/// An app's request for a session with an accessory, or its data in one, as the trace shows it.
package enum AppSessionEvent: Sendable, Hashable {
    /// It requests a session.
    case requested(session: UInt16)
    /// It sends the given number of bytes in a session.
    case data(session: UInt16, count: Int)
}

/// How a device answers a host's request for a connection.
package enum LinkAnswer: Sendable, Hashable {
    /// The connection is made.
    case accepts
    /// The request is never answered.
    case ignores
    /// The request fails with a status (Vol 1 Part F 2).
    case fails(UInt8)
}

/// What a device advertises.
package struct RemoteAdvertising: Sendable, Hashable {
    /// The advertising data, as a sequence of AD structures.
    package var data: [UInt8] = []
    /// The answer to a scan request; `nil` for no answer.
    package var scanResponse: [UInt8]?
    /// Nanoseconds from one advertisement to the next.
    package var interval: Int64 = 20_000_000
    /// The signal strength (RSSI).
    package var rssi: Int8 = -50

    /// Creates an advertisement without data.
    package init() {}
}

/// A device on the air; it decides what it sends, and has no access to controllers.
package protocol RemoteDevice: Sendable {
    /// The address.
    var address: DeviceAddress { get }
    /// What it advertises; `nil` while it does not advertise.
    var advertising: RemoteAdvertising? { get }
    /// How it answers a request for a Low Energy connection.
    var answersConnection: LinkAnswer { get }
    /// How it answers a request for a BR/EDR connection; `nil` if it does not hear the request.
    var answersPage: LinkAnswer? { get }
    /// Whether it connects to a host that advertises this.
    func connects(to advertising: HostAdvertising) -> Bool
    /// Reports that a link to a host with the given address is open.
    mutating func opened(_ link: AirLink, to host: DeviceAddress)
    /// Reports that a link has ended.
    mutating func closed(_ link: AirLink)
    /// Processes a unit from the host.
    mutating func consume(_ unit: L2CAPFrame, on link: AirLink)
    /// Reports that the host wants a link encrypted with a key.
    mutating func encrypt(_ link: AirLink, key: [UInt8])
    /// Reports what an app has said, as the trace shows it.
    ///
    /// - Returns: Whether this device has received it.
    mutating func show(_ saying: AppSessionEvent) -> Bool
    /// Returns its commands to the air since the last call.
    mutating func takeCommands() -> [AirCommand]
    /// When it acts by itself next; `nil` if it only waits.
    var nextDeadline: Int64? { get }
    /// Advances the time, in nanoseconds of a clock that does not go back.
    mutating func advance(to now: Int64)
}

extension RemoteDevice {
    /// `nil`: the device does not advertise.
    package var advertising: RemoteAdvertising? { nil }
    /// `accepts`: every Low Energy connection is made.
    package var answersConnection: LinkAnswer { .accepts }
    /// `nil`: the device does not hear pages.
    package var answersPage: LinkAnswer? { nil }
    /// `false`: the device connects to no host.
    package func connects(to advertising: HostAdvertising) -> Bool { false }
    /// Does nothing: the device has no keys.
    package mutating func encrypt(_ link: AirLink, key: [UInt8]) {}
    /// `false`: the device has no sessions.
    package mutating func show(_ saying: AppSessionEvent) -> Bool { false }
    /// `nil`: the device only waits.
    package var nextDeadline: Int64? { nil }
    /// Does nothing.
    package mutating func advance(to now: Int64) {}
}
