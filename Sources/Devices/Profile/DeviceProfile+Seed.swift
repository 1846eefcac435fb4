extension DeviceProfile {
    /// The variable that tells a device where what it draws is to begin.
    static let seedVariable = "CONFORM_SEED"

    /// The device with the variable that tells it the seed; as it is where there is none.
    public func seeded(_ seed: UInt64?) -> DeviceProfile {
        guard let seed else { return self }
        var result = self
        result.environment[Self.seedVariable] = String(seed)
        return result
    }
}
