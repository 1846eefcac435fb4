import AccessoryBus
import Bluetooth

/// A profile connection: a device, its class and its state.
struct ProfileObject: Sendable {
    enum Device: Sendable, Hashable {
        case address(DeviceAddress)
        /// An accessory of the accessory bus, by its number there.
        case accessory(UInt32)

        /// The identifier of objects of the device.
        var id: String {
            switch self {
            case .address(let address): address.description
            case .accessory(let number): "accessory \(number)"
            }
        }
    }

    enum State: Sendable, Hashable {
        case inactive
        /// Its link is being made.
        case connecting
        /// Services are being discovered, subscribed to and read.
        case settingUp
        case active
        /// The subscriptions that still have to be ended.
        case unsubscribing([UInt16])
        case disconnecting
    }

    let id: String
    let kind: ProfileClass
    /// The device: an address on the air, or a number on the accessory bus.
    let device: Device
    /// Whether it was made without a manager, so that no manager connects for it.
    let isManual: Bool
    var state = State.inactive
    /// Its address; `nil` for an accessory of the bus.
    var address: DeviceAddress? {
        if case .address(let address) = device { address } else { nil }
    }
    /// The link that it uses.
    var handle: UInt16?
    /// Whether that link was made for it.
    var ownsLink = false
    var setup: GATTSetup?
    /// The session that it has or has requested.
    var session: UInt16?
    /// The same for a session over the accessory bus.
    var busSession: SessionNumber?
    /// How often it has become active.
    var activations = 0
    /// Whether its success has been reported, even if it is not active yet.
    var isReported = false
}

/// A link of the host, with one pending request at a time (Core 5.4 Vol 3 Part F 3.3.2).
struct ProfileBearer: Sendable {
    /// The originator of a request.
    enum Requester: Sendable, Hashable {
        case object(String)
        case probe
    }

    struct Request: Sendable {
        let packet: ATTPacket
        let asker: Requester
    }

    let address: DeviceAddress
    /// Whether it is a link of the system, not of the app.
    let belongsToSystem: Bool
    var mtu: Int?
    var current: Request?
    var queue: [Request] = []
    /// The search for a service that a class is interested in.
    var probe: ServiceProbe?

    init(_ address: DeviceAddress, belongsToSystem: Bool) {
        self.address = address
        self.belongsToSystem = belongsToSystem
    }
}

/// A search for the class that matches a connected device, class by class.
struct ServiceProbe: Sendable {
    /// The purpose of the search: `retrieve` or `monitor`.
    let via: String
    /// The classes that are still to be tried; the first is the current one.
    var classes: [ProfileClass]
    var setup: GATTSetup
}
