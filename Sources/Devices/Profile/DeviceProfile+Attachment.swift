import Suites

extension DeviceProfile {
    /// Where a device is that `conform` does not launch, and how it is brought to its starting point.
    public struct Attachment: Sendable, Hashable {
        /// Its address.
        public var address: String
        /// The interface of this machine on which it is reached.
        public var interface: String
        /// The controls that bring it to its starting point before each case, in order.
        public var before: [String]
        /// The controls that are carried out after each case, in order.
        public var after: [String]

        /// Makes an attachment.
        public init(
            address: String, interface: String, before: [String] = [], after: [String] = []
        ) {
            self.address = address
            self.interface = interface
            self.before = before
            self.after = after
        }
    }

    /// How long an attached device may take to send its first packet, unless said.
    static let attachedTimeout: Duration = .seconds(60)

    /// Where it is, if it is not launched.
    public var attachment: Attachment? {
        if case .attach(let attachment) = access { attachment } else { nil }
    }

    /// The first of these controls, or of those around each case, that a person carries out.
    public func personControl(among used: [String]) -> String? {
        let around = attachment.map { $0.before + $0.after } ?? []
        return (around + used).first { controls[$0]?.sentence != nil }
    }

    /// How much longer than its own limit a case on the device may take: until the device is there,
    /// for controls before, in and after it, for the person who carries controls out, for companions
    /// and for captures made elsewhere.
    ///
    /// - Parameter used: The controls that the steps of the case use.
    public func patience(for used: [String]) -> Duration {
        let around = attachment.map { $0.before + $0.after } ?? []
        let names = around + used.filter { attachment != nil || controls[$0]?.sentence != nil }
        return names.compactMap { controls[$0]?.limit }
            .reduce(attachment == nil ? .zero : readyTimeout, +) + companionPatience
            + (capture ?? []).reduce(.zero) { $0 + $1.timeout * 2 }
    }
}
