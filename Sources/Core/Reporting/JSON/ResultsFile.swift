import Results

/// `results.json`: the whole run as JSON, the one source of all other reports.
public enum ResultsFile {
    /// Returns the content of the file, indented, with sorted keys and a final line end.
    public static func bytes(of run: RunResult) throws(UnreadableReport) -> [UInt8] {
        do {
            return try JSONText.pretty(run) + [UInt8(ascii: "\n")]
        } catch {
            throw UnreadableReport(what: "results.json", line: nil, why: "\(error)")
        }
    }

    /// Returns the run that `bytes(of:)` wrote.
    ///
    /// Audit and coverage are computed again.
    public static func run(from bytes: [UInt8]) throws(UnreadableReport) -> RunResult {
        if let flaw = JSONText.flaw(of: bytes) { throw unreadable(flaw) }
        guard let mark = try? JSONText.decoded(Mark.self, from: bytes) else {
            throw unreadable("it is not JSON that can be read")
        }
        guard let schema = mark.schema, mark.run != nil else {
            throw unreadable("it is JSON, but not the results of a run of conform")
        }
        guard schema <= RunResult.schema else {
            throw UnreadableReport(
                what: "results.json", line: nil,
                why: "it was written by a newer conform: its schema is \(schema), "
                    + "this conform reads up to \(RunResult.schema)",
                advice: "use a conform that is at least as new")
        }
        do {
            return try JSONText.decoded(RunResult.self, from: bytes)
        } catch {
            throw unreadable(JSONText.complaint(error))
        }
    }

    private static func unreadable(_ why: String) -> UnreadableReport {
        UnreadableReport(what: "results.json", line: nil, why: why)
    }

    /// The members by which a results file is recognised.
    private struct Mark: Decodable {
        struct Anything: Decodable {
            init(from decoder: any Decoder) throws {}
        }

        let schema: Int?
        let run: Anything?

        private enum CodingKeys: String, CodingKey {
            case schema, run
        }

        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: CodingKeys.self)
            schema = try? container?.decode(Int.self, forKey: .schema)
            run = try? container?.decode(Anything.self, forKey: .run)
        }
    }
}

/// A stored report that cannot be read back.
public struct UnreadableReport: Error, Sendable, Hashable, CustomStringConvertible {
    /// The report.
    public var what: String
    /// The line, counted from 1; `nil` if the report is one document.
    public var line: Int?
    /// What is wrong with it.
    public var why: String
    /// What to do about it; empty if there is no advice.
    public var advice = ""

    /// `journal.jsonl:3: why; advice`.
    public var description: String {
        what + (line.map { ":\($0)" } ?? "") + ": " + why + (advice.isEmpty ? "" : "; \(advice)")
    }
}
