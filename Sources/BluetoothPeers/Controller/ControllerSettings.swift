/// What a virtual controller is like.
package struct ControllerSettings: Sendable, Hashable {
    /// Which Low Energy features it claims.
    package enum Generation: String, Sendable, CaseIterable {
        /// Encryption only, and the commands of Bluetooth 4.0.
        case minimal
        /// Extended advertising too, and the enhanced connection event.
        case five = "5.0"
    }

    /// Which Low Energy features it claims.
    package var generation = Generation.minimal
    /// Whether it has BR/EDR as well.
    package var isDual = false
    /// Bytes of data that an ACL packet holds at most, in both directions.
    package var aclLength = 27
    /// ACL packets of the host that it holds at most.
    package var aclPackets: UInt8 = 8
    /// Its public address.
    package var address = DeviceAddress(0x001A_7DC0_FFEE, isRandom: false)
    /// The handle of its first link; the next ones count up from it.
    package var firstHandle: UInt16 = 0x0040

    /// Makes a minimal controller.
    package init() {}
}
