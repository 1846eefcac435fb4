import Bluetooth

/// The properties of a virtual controller.
package struct ControllerSettings: Sendable, Hashable {
    /// The Low Energy features that a controller claims.
    package enum Generation: String, Sendable, CaseIterable {
        /// Encryption only, and the commands of Bluetooth 4.0.
        case minimal
        /// Also extended advertising and the enhanced connection event.
        case five = "5.0"
    }

    /// The Low Energy features that it claims.
    package var generation = Generation.minimal
    /// Whether it also supports BR/EDR.
    package var isDual = false
    /// The most bytes of data in an ACL packet, in both directions.
    package var aclLength = 27
    /// The most ACL packets of the host that it buffers.
    package var aclPackets: UInt8 = 8
    /// Its public address.
    package var address = DeviceAddress(0x001A_7DC0_FFEE, isRandom: false)
    /// The handle of its first link; later links count up from it.
    package var firstHandle: UInt16 = 0x0040

    /// Creates the settings of a minimal controller.
    package init() {}
}
