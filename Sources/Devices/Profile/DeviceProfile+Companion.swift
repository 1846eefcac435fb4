import Suites

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
        /// The working directory, with placeholders; `nil` for the present one.
        public var workingDirectory: String?
        /// When it is ready; never by a packet.
        public var readiness: Readiness
        /// How long it may take to be ready.
        public var readyTimeout: Duration
        /// When it is launched.
        public var begin: Begin
        /// What it means that it ends during a case.
        public var exit: ExitMeaning
        /// How it is asked to end.
        public var stop: Stop

        /// How long one may take to be ready unless said.
        static let usualTimeout: Duration = .seconds(10)
    }

    /// What a companion is launched by: as the device, from a command of its own.
    func profile(of companion: Companion) -> DeviceProfile {
        // What is done beside an attached device is done by programs of the user.
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

    /// How long its companions may take before and after a case, beside the case itself.
    var companionPatience: Duration {
        companions.reduce(.zero) { $0 + $1.readyTimeout + $1.stop.grace }
    }
}

extension String {
    /// This text as one in which nothing is a placeholder.
    fileprivate var escaped: String {
        split(separator: "${", omittingEmptySubsequences: false).joined(separator: "$${")
    }
}
