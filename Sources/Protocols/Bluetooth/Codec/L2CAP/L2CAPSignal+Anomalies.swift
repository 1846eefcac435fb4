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
        func check(_ end: UInt16, _ role: String, _ section: String) {
            guard end < L2CAPFrame.Channel.firstDynamic else { return }
            record("the channel 0x" + String(end, radix: 16) + " as a \(role)", section)
        }
        func check(_ credits: Credits, from least: UInt16, _ section: String) {
            if credits.mtu < least { record("an MTU of \(credits.mtu), below \(least)", section) }
            if credits.mps < least { record("an MPS of \(credits.mps), below \(least)", section) }
        }
        switch content {
        case .connectionRequest(let psm, let source):
            if psm & 0x0101 != 1 { record("the PSM 0x" + String(psm, radix: 16), "4.2") }
            check(source, "source", "4.2")
        case .connectionResponse(let destination, _, 0, _):
            check(destination, "destination", "4.3")
        case .parameterUpdateRequest(let minimum, let maximum, let latency, let timeout):
            if let wrong = Self.fault(minimum, maximum, latency, timeout) { record(wrong, "4.20") }
        case .lowEnergyConnectionRequest(_, let source, let credits):
            check(source, "source", "4.22")
            check(credits, from: 23, "4.22")
        case .lowEnergyConnectionResponse(let destination, let credits, 0):
            check(destination, "destination", "4.23")
            check(credits, from: 23, "4.23")
        case .creditIndication(_, 0): record("no credits", "4.24")
        case .creditConnectionRequest(_, let credits, let sources):
            for source in sources { check(source, "source", "4.25") }
            check(credits, from: 64, "4.25")
        default: break
        }
        return found
    }

    /// Returns what is wrong with requested parameters of an LE link, in units of 1.25 ms, events
    /// and 10 ms (4.20).
    private static func fault(
        _ minimum: UInt16, _ maximum: UInt16, _ latency: UInt16, _ timeout: UInt16
    ) -> String? {
        guard 6 <= minimum, minimum <= maximum, maximum <= 3_200 else {
            return "an interval of \(minimum) to \(maximum), allowed: 6 to 3200"
        }
        guard latency < 500 else { return "a latency of \(latency), allowed: 0 to 499" }
        guard (10...3_200).contains(timeout) else {
            return "a timeout of \(timeout), allowed: 10 to 3200"
        }
        return nil
    }
}
