import Results
import SuiteLanguage
import Trace
import Wire

extension MatcherThread {
    /// Returns the case's measurements whose steps were reached.
    func measurements() -> [Measurement] {
        testCase.measures.compactMap { measure in
            guard let end = completion(of: measure.to) else { return nil }
            switch measure.quantity {
            case .time(let id):
                guard let begin = completion(of: id) else { return nil }
                return Measurement(
                    name: measure.name, seconds: TimeText.number(end.time - begin.time),
                    frames: [begin, end].flatMap { $0.message?.frames ?? [] })
            case .count(let name, let id):
                let begin = id.map(completion)
                if case .some(nil) = begin { return nil }
                let counted = configuration.completions.elements.filter {
                    $0.message?.name == name && $0.time <= end.time
                        && $0.time >= begin??.time ?? $0.time
                }
                return Measurement(
                    name: measure.name, count: counted.count,
                    frames: counted.flatMap { $0.message?.frames ?? [] })
            }
        }
    }

    private func completion(of id: String) -> Configuration.Completion? {
        guard let line = program.lines.firstIndex(where: { $0.step.id == id }) else { return nil }
        return configuration.completion(of: line)
    }
}
