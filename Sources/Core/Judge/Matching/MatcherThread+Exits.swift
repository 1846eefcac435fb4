import SuiteLanguage
import Trace
import Wire

/// Ends of devices that a step awaits, or that end a wait.
extension MatcherThread {
    /// Keeps the end of a device for a later step.
    mutating func keep(exit message: PlacedMessage) {
        if let device = message.sender { untakenExits[device] = message }
    }

    /// Records that nothing more can come from a device.
    mutating func recordEnd(_ message: PlacedMessage) {
        guard let device = message.sender,
            (message.message.content as? DeviceEvent)?.isWhole ?? false
        else { return }
        endedDevices[device] = message
    }

    /// Whether the present line waits for what a device that has ended completely would send.
    func isAwaited(end message: PlacedMessage) -> Bool {
        guard phase == .running, let device = message.sender, endedDevices[device] != nil else {
            return false
        }
        return isAwaited(of: message)
    }

    /// Whether a message is a crash, and the present line does not say how the device ends.
    func isUndemandedCrash(_ message: PlacedMessage) -> Bool {
        guard (message.message.content as? DeviceEvent)?.isCrash == true else { return false }
        let signatures =
            if case .collect(let all, _)? = line?.goal { all } else { [awaited].compactMap(\.self) }
        return !signatures.flatMap(\.pattern.conditions).contains {
            DeviceEvent.outcomePaths.contains($0.path)
        }
    }

    /// Whether the present line asks nothing of a device: a pause, or the silence of a schedule.
    var isPassive: Bool {
        guard phase == .running else { return false }
        switch line?.goal {
        case .pause: return true
        case .schedule: return attempt?.schedule?.isComplete == true
        case .act, .expect, .collect, nil: return false
        }
    }

    /// Whether a later line expects this end of a device.
    func awaitsLater(_ message: PlacedMessage) -> Bool {
        program.lines.indices.dropFirst((configuration.position ?? 0) + 1).contains {
            isMessage(message, ofLine: $0, notOf: .otherName)
        }
    }

    /// Lets the present line take an end of a device that came before, or fails it if it waits for
    /// a device that has ended.
    mutating func applyExits(at time: Timestamp) {
        guard let line else { return }
        if case .expect(let signature) = line.goal,
            let exit = untakenExits[signature.sender],
            case .full = signature.fit(of: exit, bindings: configuration.bindings),
            case .inside = attempt?.window.placement(of: max(time, attempt?.origin ?? time))
        {
            untakenExits[signature.sender] = nil
            complete(at: time, by: exit.message)
        } else if let exit = endedDevices.values.first(where: isAwaited(of:)) {
            find(.deviceExited, at: time, by: exit)
        }
    }

    /// Whether the present line waits for what only a device that has ended could send.
    func isAwaited(of exit: PlacedMessage) -> Bool {
        guard let line, let device = exit.sender else { return false }
        switch line.goal {
        case .expect(let signature):
            return signature.sender == device && line.isUpToDevice
                && !signature.pattern.message.hasPrefix("device.")
        case .schedule(let signature, _):
            return signature.sender == device && attempt?.schedule?.isComplete == false
        case .collect:
            return testCase.deviceNames == [device] && attempt?.collection?.isComplete == false
        case .act, .pause: return false
        }
    }
}
