import SuiteLanguage
import Trace
import Wire

/// Messages that no line takes, and what follows a failure.
extension MatcherThread {
    /// Returns the kind of the exit of the device, which the line may expect with other fields.
    func kind(ofExit message: PlacedMessage) -> Finding.Kind {
        let fit =
            phase == .running ? awaited?.fit(of: message, bindings: configuration.bindings) : nil
        if case .fieldsDiffer(let differences)? = fit { return .fieldsDiffer(differences) }
        return .deviceExited
    }

    func kind(ofUnexpected message: PlacedMessage) -> Finding.Kind {
        let present = phase == .running ? awaited : nil
        let fit = present?.fit(of: message, bindings: configuration.bindings) ?? .otherName
        let position = configuration.position ?? program.lines.count
        var differences: [Difference] = []
        if case .fieldsDiffer(let found) = fit { differences = found }
        let done = configuration.doneLines.subtracting([position])
        let companions = (testCase.preamble + testCase.steps).companions(of: position)
        let later = companions + program.lines.indices.dropFirst(position + 1)
        if let line = later.first(where: {
            !done.contains($0) && isMessage(message, ofLine: $0, notOf: fit)
        }) {
            return .outOfOrder(line: line, differences: differences)
        }
        if let line = done.sorted().last(where: { isMessage(message, ofLine: $0, notOf: fit) }) {
            return .repeated(line: line, differences: differences)
        }
        return differences.isEmpty ? .unexpected : .fieldsDiffer(differences)
    }

    /// Whether a message is what another line expects.
    ///
    /// If it has the awaited name, only conditions on fields can distinguish the other line.
    func isMessage(
        _ message: PlacedMessage, ofLine position: Int, notOf fit: Signature.Fit
    ) -> Bool {
        guard case .expect(let signature) = program.lines[position].goal,
            case .full = signature.fit(of: message, bindings: configuration.bindings)
        else { return false }
        if case .fieldsDiffer = fit { return !signature.pattern.conditions.isEmpty }
        return true
    }

    // MARK: - After a failure

    mutating func follow(_ message: PlacedMessage) {
        if isScheduleWatched {
            followSchedule(message)
            guard case .failed(let time) = phase, !record.isFollowed,
                message.time <= time + Limits.aftermath,
                message.message.number != finding?.message?.message.number
            else { return }
        }
        if let debt = finding?.debt, !debt.isPaid, message.time <= debt.until,
            answersEarlier(message.message, from: debt.awaited.sender),
            case .full = debt.awaited.fit(of: message, bindings: configuration.bindings)
        {
            finding?.debt?.isPaid = true
        }
        guard message.sender != nil, program.judges(message.name), !isIgnored(message),
            message.isFromDevice || isAwaitedLater(message)
        else { return }
        if record.follow(message), finding?.debt?.isPaid != false, !isScheduleWatched {
            phase = .finished
        }
    }

    func isAwaitedLater(_ message: PlacedMessage) -> Bool {
        program.lines.indices.dropFirst(configuration.position ?? program.lines.count).contains {
            isMessage(message, ofLine: $0, notOf: .otherName)
        }
    }
}
