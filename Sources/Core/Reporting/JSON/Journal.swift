import Results
import Wire

/// `journal.jsonl`: the events of a run, one line each, readable also after a `kill -9`.
public enum Journal {
    private static let name = "journal.jsonl"

    /// Returns a record with its line end.
    public static func line(_ record: JournalRecord) throws(UnreadableReport) -> [UInt8] {
        do {
            return try JSONText.line(record) + [UInt8(ascii: "\n")]
        } catch {
            throw UnreadableReport(what: name, line: nil, why: "\(error)")
        }
    }

    /// Returns all records.
    ///
    /// A last line without a line end that cannot be read is omitted, because the writer died while
    /// it wrote that line.
    public static func records(in bytes: [UInt8]) throws(UnreadableReport) -> [JournalRecord] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var records: [JournalRecord] = []
        for (index, line) in lines.enumerated() where !line.isEmpty {
            do {
                records.append(try JSONText.decoded(JournalRecord.self, from: line))
            } catch {
                if index == lines.count - 1 { break }
                throw UnreadableReport(
                    what: name, line: index + 1,
                    why: JSONText.flaw(of: Array(line)) ?? JSONText.complaint(error))
            }
        }
        return records
    }

    /// Returns the run of a journal.
    ///
    /// If the run was killed, its cases without a result are recorded as not run, and its exit
    /// status stays unknown.
    public static func run(from bytes: [UInt8]) throws(UnreadableReport) -> RunResult {
        let records = try records(in: bytes)
        guard case .run(let header)? = records.first else {
            throw UnreadableReport(
                what: name, line: 1, why: "it does not begin with the header of a run")
        }
        var run = RunResult(header: header)
        var started: [CaseReference: Timestamp] = [:]
        for (index, record) in records.enumerated().dropFirst() {
            switch record {
            case .run:
                throw UnreadableReport(what: name, line: index + 1, why: "a second run begins")
            case .caseStarted(let reference, let time):
                started[reference] = time
            case .caseEnded(let result):
                started[CaseReference(result)] = nil
                // The line of a drawn run is repeated after it was made shorter.
                if result.shrunk != nil {
                    run.cases.removeAll { CaseReference($0) == CaseReference(result) }
                }
                run.cases.append(result)
            case .runEnded(let exit, let seconds):
                run.exit = exit
                run.seconds = seconds
            }
        }
        if run.exit == nil { settle(&run, started) }
        return run
    }

    private static func settle(_ run: inout RunResult, _ started: [CaseReference: Timestamp]) {
        let known = Set(run.cases.map(CaseReference.init))
        for planned in run.header.planned where !known.contains(planned.reference) {
            let cause =
                started[planned.reference] == nil
                ? "the run was killed before the case" : "the run was killed during the case"
            run.cases.append(planned.notRun(because: cause))
        }
    }
}
