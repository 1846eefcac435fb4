import SuiteLanguage
import Trace
import Wire

/// The state of a `collect` step: the missing entries, and since when the device is silent.
struct Gathering: Sendable, Hashable {
    /// The entries that no message has fitted yet, in the order of the suite.
    private(set) var missing: [Int]
    /// How long the device must be silent at the end.
    let quiet: Duration
    /// When the device last sent something, or the step was reached.
    private(set) var heard: Timestamp

    init(count: Int, quiet: Duration, at time: Timestamp) {
        missing = Array(0..<count)
        self.quiet = quiet
        heard = time
    }

    /// Whether every entry has been fitted.
    var isComplete: Bool { missing.isEmpty }

    /// When the device has been silent for long enough, if nothing more comes.
    var silence: Timestamp { heard + quiet }

    /// Records a message that fits an entry.
    mutating func fit(_ entry: Int) { missing.removeAll { $0 == entry } }

    /// Records a message of the device, or one that was collected.
    mutating func hear(at time: Timestamp) { heard = max(heard, time) }
}

extension MatcherThread {
    /// Offers a message to the present `collect` step; returns the line if an entry took it.
    mutating func offerToCollection(_ message: PlacedMessage) -> Int? {
        guard let position = configuration.position, let line,
            case .collect(let signatures, _) = line.goal,
            case .collect(let items, _) = line.step.verb
        else { return nil }
        let bindings = configuration.bindings
        let fitting = signatures.filter {
            if case .full = $0.fit(of: message, bindings: bindings) { true } else { false }
        }
        if case .inside? = attempt?.window.placement(of: message.time),
            judgeTaken(message, by: fitting)
        {
            return nil
        }
        var isTaken = false
        for (index, signature) in signatures.enumerated() {
            let fit = signature.fit(of: message, bindings: configuration.bindings)
            switch fit {
            case .full:
                if case .late(let lag)? = attempt?.window.placement(of: message.time) {
                    find(.late(lag), at: message.time, by: message)
                    return nil
                }
                isTaken = true
                attempt?.collection?.fit(index)
                for save in items[index].saves {
                    configuration.bindings[save.variable] = save.value(
                        of: message.content, configuration.bindings)
                }
            case .fieldsDiffer, .otherParties:
                guard attempt?.collection?.missing.first == index else { continue }
                let nearest = NearMiss.closer(attempt?.nearest, NearMiss(message.message, fit))
                attempt?.nearest = nearest
            case .undecided(let why):
                find(.undecided(why), at: message.time, by: message)
                return nil
            case .otherName, .unbound: continue
            }
        }
        guard isTaken else { return nil }
        attempt?.collection?.hear(at: message.time)
        record.complete(line: position, by: message.message)
        configuration.recordTaken()
        return position
    }

    /// Records that the device is not silent while the present step waits for silence.
    mutating func recordHeard(_ message: PlacedMessage) {
        guard attempt?.collection != nil, message.showsDevice, program.judges(message.name),
            !isIgnored(message)
        else { return }
        attempt?.collection?.hear(at: message.time)
    }
}
