import Suites

extension DeviceProfile {
    /// The variable that tells a device what carries the sessions of accessories.
    static let carrierVariable = "CONFORM_CARRIER"

    /// The device with the variable that tells it the carrier; as it is where there is none.
    public func over(_ carrier: AccessoryCarrier?) -> DeviceProfile {
        guard let carrier else { return self }
        var result = self
        result.environment[Self.carrierVariable] = carrier.rawValue
        return result
    }
}
