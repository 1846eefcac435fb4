import AccessoryBus
import Bluetooth

/// A profile connection: a device, the class that it was made of, and how far it is.
struct ProfileObject: Sendable {
    enum Device: Sendable, Hashable {
        case address(HCIHost.Address)
        /// An accessory of the accessory bus, by its number there.
        case accessory(UInt32)

        /// What objects of the device are called.
        var id: String {
            switch self {
            case .address(let address): address.text
            case .accessory(let number): "accessory \(number)"
            }
        }
    }

    enum State: Sendable, Hashable {
        case inactive
        /// Its link is to come about.
        case connecting
        /// Services are looked for, subscribed to and read.
        case settingUp
        case active
        /// The subscriptions that are still to be ended.
        case unsubscribing([UInt16])
        case disconnecting
    }

    let id: String
    let kind: ProfileClass
    /// What it is known by: an address on the air, or what the accessory bus calls it.
    let device: Device
    /// Whether it was made without a manager, so that nobody connects for it.
    let isManual: Bool
    var state = State.inactive
    /// Its address; `nil` for an accessory of the bus.
    var address: HCIHost.Address? {
        if case .address(let address) = device { address } else { nil }
    }
    /// The link that it works on.
    var handle: UInt16?
    /// Whether that link was made for it.
    var ownsLink = false
    var setup: GATTSetup?
    /// The session that it has, or that was asked for.
    var session: UInt16?
    /// The same, if the bus carries it.
    var busSession: SessionNumber?
    /// How often it was active.
    var activations = 0
    /// Whether its success is reported although it is not active.
    var isReported = false

    init(id: String, kind: ProfileClass, device: Device, isManual: Bool) {
        self.id = id
        self.kind = kind
        self.device = device
        self.isManual = isManual
    }
}

/// A link of the host, and what is asked on it: one request at a time (Core 5.4 Vol 3 Part F 3.3.2).
struct ProfileBearer: Sendable {
    /// Who waits for an answer.
    enum Requester: Sendable, Hashable {
        case object(String)
        case probe
    }

    struct Request: Sendable {
        let packet: ATTPacket
        let asker: Requester
    }

    let address: HCIHost.Address
    /// Whether it is the system's and not the app's.
    let isSystems: Bool
    var mtu: Int?
    var current: Request?
    var queue: [Request] = []
    /// Looks for a service that a class is interested in.
    var probe: ServiceProbe?

    init(_ address: HCIHost.Address, isSystems: Bool) {
        self.address = address
        self.isSystems = isSystems
    }
}

/// A search for the class that a connected device is for, class by class.
struct ServiceProbe: Sendable {
    /// What it was begun for: `retrieve`, `monitor`.
    let via: String
    /// The classes that are not asked for yet; the first is the present one.
    var classes: [ProfileClass]
    var setup: GATTSetup
}
