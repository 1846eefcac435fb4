import Results

/// The plan of a run as JSON, for programs: what `conform list --format json` prints.
///
/// Suites and cases have the form that they have in `results.json`.
public struct PlanFile: Sendable, Encodable {
    /// A case of the plan.
    public struct Case: Sendable, Encodable {
        private enum CodingKeys: String, CodingKey {
            case tags, skip
        }

        private let planned: PlannedCase
        private let tags: [String]
        private let skip: String?

        /// Creates an entry.
        ///
        /// - Parameter skip: Why the case would be skipped; `nil` if it would run.
        public init(_ planned: PlannedCase, tags: [String], skip: String?) {
            self.planned = planned
            self.tags = tags
            self.skip = skip
        }

        /// Writes the members of the planned case, its tags, and why it would be skipped.
        public func encode(to encoder: any Encoder) throws {
            try planned.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(tags, forKey: .tags)
            try container.encodeIfPresent(skip, forKey: .skip)
        }
    }

    private let schema = 1
    private let suites: [SuiteSummary]
    private let cases: [Case]

    /// Creates a plan.
    public init(suites: [SuiteSummary], cases: [Case]) {
        self.suites = suites
        self.cases = cases
    }

    /// Returns the JSON, indented, with sorted keys and a final line end.
    public func text() throws(UnreadableReport) -> String {
        do {
            return String(decoding: try JSONText.pretty(self), as: UTF8.self) + "\n"
        } catch {
            throw UnreadableReport(what: "plan", line: nil, why: "\(error)")
        }
    }
}
