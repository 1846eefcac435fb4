import Results
import Wire

/// One line of the journal: an object with one member that names its kind.
public enum JournalRecord: Sendable, Hashable {
    /// The start of the run; always the first line.
    case run(RunHeader)
    /// The start of a case.
    case caseStarted(CaseReference, at: Timestamp)
    /// The end of a case.
    case caseEnded(CaseResult)
    /// The end of the run; always the last line of a run that was not killed.
    case runEnded(ExitStatus, seconds: Double)
}

extension JournalRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case schema, run, caseStarted, caseEnded, runEnded
    }

    private struct Start: Codable {
        var suite: String
        var id: String
        var at: Timestamp
    }

    private struct End: Codable {
        var exitCode: ExitStatus
        var seconds: Double
    }

    /// Reads one record.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let schema = try container.decodeIfPresent(Int.self, forKey: .schema) ?? RunResult.schema
        guard schema <= RunResult.schema else {
            throw DecodingError.dataCorruptedError(
                forKey: .schema, in: container,
                debugDescription: "written by a newer conform (schema \(schema))")
        }
        switch container.allKeys.first(where: { $0 != .schema }) {
        case .run:
            self = .run(try container.decode(RunHeader.self, forKey: .run))
        case .caseStarted:
            let start = try container.decode(Start.self, forKey: .caseStarted)
            self = .caseStarted(CaseReference(suite: start.suite, id: start.id), at: start.at)
        case .caseEnded:
            self = .caseEnded(try container.decode(CaseResult.self, forKey: .caseEnded))
        case .runEnded:
            let end = try container.decode(End.self, forKey: .runEnded)
            self = .runEnded(end.exitCode, seconds: end.seconds)
        case .schema, nil:
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "has no known kind of record"))
        }
    }

    /// Writes one record.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .run(let header):
            try container.encode(RunResult.schema, forKey: .schema)
            try container.encode(header, forKey: .run)
        case .caseStarted(let reference, let time):
            try container.encode(
                Start(suite: reference.suite, id: reference.id, at: time), forKey: .caseStarted)
        case .caseEnded(let result):
            try container.encode(result.stored, forKey: .caseEnded)
        case .runEnded(let exit, let seconds):
            try container.encode(End(exitCode: exit, seconds: seconds), forKey: .runEnded)
        }
    }
}
