/// External Accessory: apps on a phone open sessions with accessories, by protocol string.
///
/// The same messages (`ea.*`) describe what an app and an accessory do, whichever carrier is used:
/// the accessory bus (Documentation/accessory-bus.md) or iAP2.
public enum ExternalAccessory {
    /// Limits of the decoder, which bound its memory for any input.
    public enum Limits {
        /// The longest line of the bus in bytes, including its line feed.
        ///
        /// An announcement with all thirty protocol strings of SDL takes a quarter of it.
        public static let lineBytesMax = 4096
        /// The largest number of bytes that a malformed message keeps as a sample.
        public static let malformedSample = 4096
    }

    /// An accessory as a phone sees it.
    public struct Accessory: Sendable, Hashable {
        /// The identifier while it is connected.
        public var id: UInt32
        /// The name shown to the user.
        public var name: String
        /// The manufacturer; empty if not given.
        public var manufacturer: String
        /// The model; empty if not given.
        public var model: String
        /// The protocol strings that it declares, in their order.
        public var protocols: [String]

        /// Creates an accessory.
        public init(
            id: UInt32, name: String, manufacturer: String = "", model: String = "",
            protocols: [String]
        ) {
            self.id = id
            self.name = name
            self.manufacturer = manufacturer
            self.model = model
            self.protocols = protocols
        }
    }

    /// A session as known to one side.
    public struct Session: Sendable, Hashable {
        /// The accessory's identifier; `nil` if it was not captured.
        public var accessoryID: UInt32?
        /// The protocol string; `nil` if it was not captured.
        public var protocolString: String?
        /// The session's identifier; `nil` before it is open.
        public var id: UInt32?

        /// Creates a session.
        public init(
            accessoryID: UInt32? = nil, protocolString: String? = nil, id: UInt32? = nil
        ) {
            self.accessoryID = accessoryID
            self.protocolString = protocolString
            self.id = id
        }
    }
}

/// The protocol strings of SmartDeviceLink (iAP transport).
extension ExternalAccessory {
    /// The string under which several apps can have sessions at the same time.
    public static let multisessionString = "com.smartdevicelink.multisession"
    /// The string of the hub, which tells an app the dedicated string to use.
    public static let controlString = "com.smartdevicelink.prot0"
    /// The string of head units that serve one app at a time.
    public static let legacyString = "com.ford.sync.prot0"
    /// The indices of dedicated strings.
    public static let dedicatedIndices: ClosedRange<UInt8> = 1...29

    /// Returns the dedicated string of an index, whether or not it is one of `dedicatedIndices`.
    public static func dedicatedString(_ index: UInt8) -> String {
        "com.smartdevicelink.prot\(index)"
    }

    /// Whether a session under a string may carry another protocol: all except the hub's may.
    ///
    /// The hub's only byte could also be the first of a frame.
    package static func mayNest(_ protocolString: String?) -> Bool {
        protocolString != controlString
    }
}
