/// External Accessory: apps on a phone open sessions, by protocol string, with accessories.
///
/// What an app and an accessory do is told by the same messages (`ea.*`) whichever carrier brings
/// it: the accessory bus (Documentation/accessory-bus.md) or iAP2.
public enum ExternalAccessory {
    /// Limits of the decoder, so that no input makes it hold more memory than it should.
    public enum Limits {
        /// Longest line of the bus in bytes, its line feed included: an announcement with all
        /// thirty protocol strings of SDL takes a quarter of it.
        public static let lineBytesMax = 4096
        /// Most bytes that a malformed message keeps as a sample of what could not be decoded.
        public static let malformedSample = 4096
    }

    /// An accessory as a phone sees it.
    public struct Accessory: Sendable, Hashable {
        /// What it is known by as long as it is connected.
        public var id: UInt32
        /// What a person calls it.
        public var name: String
        /// Who made it; empty if it does not say.
        public var manufacturer: String
        /// Which one it is; empty if it does not say.
        public var model: String
        /// The protocol strings that it declares, in its order.
        public var protocols: [String]

        /// Makes an accessory.
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

    /// A session as far as one side of it knows.
    public struct Session: Sendable, Hashable {
        /// With which accessory; `nil` if that was not captured.
        public var accessoryID: UInt32?
        /// Under which protocol string; `nil` if that was not captured.
        public var protocolString: String?
        /// The id that the session got; `nil` before it is open.
        public var id: UInt32?

        /// Makes a session.
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
    /// The string under which several apps hold sessions at a time.
    public static let multisessionString = "com.smartdevicelink.multisession"
    /// The hub: an app is told here which dedicated string it may use.
    public static let controlString = "com.smartdevicelink.prot0"
    /// The string of head units for one app at a time.
    public static let legacyString = "com.ford.sync.prot0"
    /// The indices of dedicated strings.
    public static let dedicatedIndices: ClosedRange<UInt8> = 1...29

    /// The dedicated string of an index, whether it is one of `dedicatedIndices` or not.
    public static func dedicatedString(_ index: UInt8) -> String {
        "com.smartdevicelink.prot\(index)"
    }

    /// Whether a session under a string may carry another protocol: all but the hub's may.
    ///
    /// The hub's only byte could be the first of a frame as well.
    package static func mayNest(_ protocolString: String?) -> Bool {
        protocolString != controlString
    }
}
