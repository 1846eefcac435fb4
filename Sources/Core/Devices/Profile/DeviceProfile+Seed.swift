extension DeviceProfile {
    /// The variable with the seed of a device's random draws.
    static let seedVariable = "CONFORM_SEED"

    /// Returns the device with the variable for the seed; unchanged if there is none.
    public func seeded(_ seed: UInt64?) -> DeviceProfile {
        guard let seed else { return self }
        var result = self
        result.environment[Self.seedVariable] = String(seed)
        return result
    }
}
