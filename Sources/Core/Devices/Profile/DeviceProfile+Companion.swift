import SuiteLanguage

extension DeviceProfile {
    /// A further program that belongs to the device, such as the user interface of a head unit.
    public struct Companion: Sendable, Hashable {
        /// When it is launched.
        public enum Begin: String, Sendable, Hashable, CaseIterable {
            /// It is ready before the device is launched.
            case before
            /// Just after the device.
            case after
        }

        /// Its name.
        public var name: String
        /// The program and its arguments, with placeholders.
        public var arguments: [String]
        /// Environment variables in addition to those of the device, or in their place.
        public var environment: [String: String]
        /// The working directory, with placeholders; `nil` for the current one.
        public var workingDirectory: String?
        /// The sign that it is ready; never a packet.
        public var readiness: Readiness
        /// How long it may take to be ready.
        public var readyTimeout: Duration
        /// When it is launched.
        public var begin: Begin
        /// How its end during a case is judged.
        public var exit: ExitMeaning
        /// How it is asked to end.
        public var stop: Stop

        /// How long a companion may take to be ready by default.
        static let usualTimeout: Duration = .seconds(10)
    }

    /// Returns the profile for launching a companion: like the device, but with its own command.
    func profile(of companion: Companion) -> DeviceProfile {
        // Programs that accompany an attached device run with the user's environment.
        let user = attachment == nil ? [:] : UserEnvironment.variables.mapValues(\.escaped)
        var own = DeviceProfile(
            name: "companion \(companion.name)", role: role, access: .launch(companion.arguments),
            environment: user.merging(environment) { $1 }.merging(companion.environment) { $1 },
            workingDirectory: companion.workingDirectory, readiness: companion.readiness,
            readyTimeout: companion.readyTimeout, stop: companion.stop, limits: limits)
        own.files = files
        own.confinement = attachment == nil ? confinement : nil
        return own
    }

    /// How long its companions may take before and after a case, in addition to the case itself.
    var companionPatience: Duration {
        companions.reduce(.zero) { $0 + $1.readyTimeout + $1.stop.grace }
    }
}

extension String {
    /// This text with all placeholders escaped.
    fileprivate var escaped: String {
        split(separator: "${", omittingEmptySubsequences: false).joined(separator: "$${")
    }
}
