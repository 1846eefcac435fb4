import Devices
import SuiteLanguage

/// The task of a worker process: one case on one device.
///
/// It goes to the worker as JSON in its mailbox; the worker reads suite and profile itself.
public struct WorkerTask: Sendable, Codable {
    /// The suite's file.
    public var suite: String
    /// Folders that are searched for included files.
    public var searchPath: [String]
    /// The case's id with its matrix values.
    public var testCase: String
    /// Values of the suite's parameters, as a JSON object.
    public var parameters: String = "{}"
    /// How many times faster than its specification the device runs.
    public var timeScale = TimeScale.real
    /// What carries the sessions of accessories; `nil` leaves it to the suite.
    public var carrier: AccessoryCarrier?
    /// Whether each message of the device must follow its specification.
    public var holdsToProtocol = false
    /// The seed of all random draws, which the device gets too; `nil` unless it was requested.
    public var seed: UInt64?
    /// `Suite.fingerprint` of the suite at the time when the run was planned.
    ///
    /// Files may change while a run goes on; a case is judged as it was planned or not at all.
    public var fingerprint: String
    /// The device.
    public var device: DeviceSelection
    /// An empty folder only for the device's files.
    public var scratch: String
    /// Folders that the device must not see.
    public var hidden: [String] = []
    /// The report folder, for messages and for reading; the worker has inherited it open.
    public var reports: String
    /// Where the capture goes, as a path from the report folder.
    public var capture: String
    /// Where the device's output goes, as a path from the report folder.
    public var log: String

    /// The name of the person whose input and output the worker has inherited; `nil` for nobody.
    public var person: String?
    /// Whether to wait for the person before the device is started.
    public var isPaused = false

    private enum CodingKeys: String, CodingKey {
        case suite, searchPath, parameters, timeScale, carrier, holdsToProtocol, seed, fingerprint,
            device,
            scratch, hidden, reports, capture, log, person, isPaused
        case testCase = "case"
    }
}

/// The device under test, as named on the command line.
public enum DeviceSelection: Sendable, Codable, Hashable {
    /// The built-in reference device, or a named mutant of it.
    case reference(executable: String, mutant: String?)
    /// A device profile file.
    case profile(path: String)
    /// A bare command with placeholders.
    case command([String])

    /// Returns whether there is a device for a suite's role.
    func canPlay(_ role: String) -> Bool {
        guard case .reference(let executable, let mutant) = self else { return true }
        return DeviceProfile.reference(role: role, executable: executable, mutant: mutant) != nil
    }

    /// Returns the profile for a suite's role.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - roles: Other roles that are valid, and not misspelt.
    /// - Throws: `InvalidInput` if the profile file cannot be used or there is no reference device
    ///   for the role.
    public func profile(
        role: String, among roles: [String] = []
    ) throws(InvalidInput) -> DeviceProfile {
        switch self {
        case .reference(let executable, let mutant):
            guard
                let profile = DeviceProfile.reference(
                    role: role, executable: executable, mutant: mutant)
            else {
                throw InvalidInput([
                    Diagnostic(
                        "no-reference-device", "there is no reference device for role \(role)",
                        at: nil, advice: "name your device with --device")
                ])
            }
            return profile
        case .profile(let path):
            return try DeviceProfile.load(path: path, roles: roles + [role])
        case .command(let arguments):
            return DeviceProfile.command(arguments, role: role)
        }
    }
}
