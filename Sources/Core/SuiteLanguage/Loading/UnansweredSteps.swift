import Wire

/// The requests of the device that have no answer yet, step by step.
struct UnansweredSteps {
    /// The names of the devices.
    var devices: Set<String> = [Step.device]
    private var count = 0
    private var open: [(index: Int, answers: [String], device: String)] = []

    /// Counts a step that could not be read.
    mutating func skip() { count += 1 }

    /// Counts a step; a `send` gets the index of the step that it answers.
    ///
    /// That step is the latest earlier `expect` from the device that has no answer yet and whose
    /// response is this message. An `expect` of the response from a peer is an answer too.
    ///
    /// - Parameter vocabulary: Defines which message answers which.
    mutating func record(
        _ verb: Step.Verb, from party: String, to other: String?, by vocabulary: MessageVocabulary
    ) -> Step.Verb {
        defer { count += 1 }
        switch verb {
        case .expect(let message):
            if !devices.contains(party) {
                _ = answer(message, to: other)
            } else if let known = vocabulary.message(named: message),
                let response = known.response
            {
                open.append((count, [response, known.refusal].compactMap(\.self), party))
            }
            return verb
        case .send(let message, let overrides, _):
            return .send(message, overrides: overrides, answering: answer(message, to: other))
        default:
            return verb
        }
    }

    /// Counts the steps that another path through the case contains.
    mutating func catchUp(with other: UnansweredSteps) { count = max(count, other.count) }

    /// Keeps only the requests that are also open on another path through the case.
    mutating func intersect(_ other: UnansweredSteps) {
        open.removeAll { request in !other.open.contains { $0.index == request.index } }
    }

    private mutating func answer(_ message: String, to device: String?) -> Int? {
        let place = open.lastIndex {
            $0.answers.contains(message) && (device == nil || device == $0.device)
        }
        guard let place else { return nil }
        return open.remove(at: place).index
    }
}
