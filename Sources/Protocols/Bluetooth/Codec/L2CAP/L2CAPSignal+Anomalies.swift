import Wire

extension L2CAPSignal {
    /// Returns what a sender of this command may not do.
    ///
    /// - Parameters:
    ///   - isLowEnergy: Whether it is on the signalling channel of LE.
    ///   - isFirst: Whether it is the first command of its unit.
    func anomalies(isLowEnergy: Bool, isFirst: Bool) -> [Anomaly] {
        var found: [Anomaly] = []
        func record(_ text: String, _ section: String) {
            found.append(
                Anomaly(.violation, text, specification: "Core 5.4 Vol 3 Part A \(section)"))
        }
        if identifier == 0 { record("the identifier 0", "4") }
        if isLowEnergy, !isFirst { record("a second command in a unit", "4") }
        if case .connectionRequest(let psm, let source) = content {
            if psm & 0x0101 != 1 { record("the PSM 0x" + String(psm, radix: 16), "4.2") }
            if source < L2CAPFrame.Channel.firstDynamic {
                record("the channel 0x" + String(source, radix: 16) + " as a source", "4.2")
            }
        }
        return found
    }
}
