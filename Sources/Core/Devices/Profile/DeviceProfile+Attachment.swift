import SuiteLanguage

extension DeviceProfile {
    /// The place of a device that `conform` does not launch, and its controls around each case.
    public struct Attachment: Sendable, Hashable {
        /// Its address.
        public var address: String
        /// The interface of this machine on which it is reached.
        public var interface: String
        /// The controls that bring it to its starting point before each case, in order.
        public var before: [String] = []
        /// The controls that are carried out after each case, in order.
        public var after: [String] = []
    }

    /// How long an attached device may take to send its first packet by default.
    static let attachedTimeout: Duration = .seconds(60)

    /// The attachment of a device that is not launched; `nil` otherwise.
    public var attachment: Attachment? {
        if case .attach(let attachment) = access { attachment } else { nil }
    }

    /// Returns the first of these or the surrounding controls that a person carries out.
    public func personControl(among used: [String]) -> String? {
        let around = attachment.map { $0.before + $0.after } ?? []
        return (around + used).first { controls[$0]?.sentence != nil }
    }

    /// Returns how much longer than its own limit a case on the device may take.
    ///
    /// The extra time is for the device to come, for controls before, during and after the case,
    /// for the person who carries controls out, for companions, and for captures made elsewhere.
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
