import SuiteLanguage

extension DeviceProfile {
    /// The variable that names the carrier of the sessions of accessories for a device.
    static let carrierVariable = "CONFORM_CARRIER"

    /// Returns the device with the variable for the carrier; unchanged if there is none.
    public func over(_ carrier: AccessoryCarrier?) -> DeviceProfile {
        guard let carrier else { return self }
        var result = self
        result.environment[Self.carrierVariable] = carrier.rawValue
        return result
    }
}
