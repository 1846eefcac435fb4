/// A link between a host's controller and a device on the air.
package struct AirLink: Sendable, Hashable {
    /// Which host: the number of its connection to the controller.
    package let host: Int
    /// The handle of the link at its controller.
    package let handle: UInt16
}

/// What a remote device wants of the air.
package enum AirCommand: Sendable, Hashable {
    /// Send a unit; `pieces` is how many bytes an ACL packet holds, if fewer than the link takes.
    ///
    /// With `after` it is sent so many nanoseconds later, and not before another one with `after`
    /// on the same link: answers come in the order of their requests.
    case send(AirLink, L2CAPUnit, after: Int64? = nil, pieces: Int? = nil)
    /// End a link, for a reason of Core 5.4 Vol 1 Part F 2.
    case end(AirLink, reason: UInt8)
    /// Tell the host's controller whether the encryption that it wanted is on.
    case encrypted(AirLink, status: UInt8)
    /// Call the hosts that are there over BR/EDR.
    case page
}

/// Something that an app has said about a session with an accessory, or in one, as the trace shows
/// it.
package enum AppSessionEvent: Sendable, Hashable {
    /// It asks for a session.
    case asked(session: UInt16)
    /// So many bytes in a session.
    case data(session: UInt16, count: Int)
}

/// What becomes of a host's wish for a connection.
package enum LinkAnswer: Sendable, Hashable {
    /// It stands.
    case accepts
    /// It is never answered.
    case ignores
    /// It fails with a status (Vol 1 Part F 2).
    case fails(UInt8)
}

/// What a device advertises.
package struct RemoteAdvertising: Sendable, Hashable {
    /// The structures of its advertising data.
    package var data: [UInt8] = []
    /// What it answers to a scan request; `nil` for no answer.
    package var scanResponse: [UInt8]?
    /// Nanoseconds from one advertisement to the next.
    package var interval: Int64 = 20_000_000
    /// Its strength.
    package var rssi: Int8 = -50

    /// Makes an advertisement without data.
    package init() {}
}

/// A device on the air: it decides what it says, and knows no controller.
package protocol RemoteDevice: Sendable {
    /// Its address.
    var address: DeviceAddress { get }
    /// What it advertises; `nil` while it does not.
    var advertising: RemoteAdvertising? { get }
    /// What becomes of a wish for a Low Energy connection.
    var answersConnection: LinkAnswer { get }
    /// What becomes of a wish for a BR/EDR connection; `nil` if it is not heard.
    var answersPage: LinkAnswer? { get }
    /// Whether it connects to a host that advertises that.
    func connects(to advertising: HostAdvertising) -> Bool
    /// A link stands, to a host of that address.
    mutating func opened(_ link: AirLink, to host: DeviceAddress)
    /// A link has ended.
    mutating func closed(_ link: AirLink)
    /// A unit of the host has come.
    mutating func take(_ unit: L2CAPUnit, on link: AirLink)
    /// The host wants a link encrypted with a key.
    mutating func encrypt(_ link: AirLink, key: [UInt8])
    /// The trace shows what an app has said.
    ///
    /// - Returns: Whether it has come to this device.
    mutating func show(_ saying: AppSessionEvent) -> Bool
    /// What it wants of the air since the last call.
    mutating func takeCommands() -> [AirCommand]
    /// When it does something by itself; `nil` if it waits.
    var nextDeadline: Int64? { get }
    /// Tells the time, in nanoseconds of a clock that does not go back.
    mutating func advance(to now: Int64)
}

extension RemoteDevice {
    /// None.
    package var advertising: RemoteAdvertising? { nil }
    /// It is accepted.
    package var answersConnection: LinkAnswer { .accepts }
    /// It is not heard.
    package var answersPage: LinkAnswer? { nil }
    /// To none.
    package func connects(to advertising: HostAdvertising) -> Bool { false }
    /// Has no keys.
    package mutating func encrypt(_ link: AirLink, key: [UInt8]) {}
    /// Nobody has sessions with it.
    package mutating func show(_ saying: AppSessionEvent) -> Bool { false }
    /// It waits.
    package var nextDeadline: Int64? { nil }
    /// Does nothing.
    package mutating func advance(to now: Int64) {}
}
