import Devices
import Judge
import Results
import SuiteLanguage

extension TestCase {
    /// Returns why the case cannot be run if a person carries out controls; `nil` if it can.
    ///
    /// - Parameter isThere: Whether there is a person.
    func reasonAgainstPerson(_ device: DeviceProfile, isThere: Bool) -> Reason? {
        guard let control = device.personControl(among: deviceActions) else { return nil }
        guard isThere else {
            return Reason(
                .notApplicable,
                "control \(control) asks a person, and there is nobody (\(Operator.variable)=none)")
        }
        guard deviceNames.count == 1 else {
            return Reason(
                .notApplicable,
                "control \(control) asks a person, and the case has several devices")
        }
        let plain = (preamble + steps).flatMap { step in
            [step].plain.map { (step: $0, isInGroup: !step.parts.isEmpty) }
        }
        for (index, (step, _)) in plain.enumerated() {
            guard case .perform(let action) = step.verb, isDevice(action.party),
                device.controls[action.name]?.sentence != nil
            else { continue }
            let rest = plain[(index + 1)...]
            let last = rest.firstIndex { !$0.isInGroup } ?? rest.endIndex - 1
            let next = rest.prefix(through: last).map(\.step)
            let named = rest.map(\.step).filter { $0.since != nil && $0.since == step.id }
            guard (next + named).contains(where: \.hasEarliestTime) else { continue }
            return Reason(
                .notApplicable,
                "a step may not come before a time that counts from control \(action.name), which "
                    + "a person carries out at a moment that is not known")
        }
        return nil
    }
}

extension Step {
    /// Whether its message can come too early.
    fileprivate var hasEarliestTime: Bool {
        switch verb {
        case .backoff: true
        case .expect, .lost, .collect: after != nil || at != nil
        default: false
        }
    }
}
