import Live
import Reporting
import Results

/// The option that selects one part of a plan.
enum ShardOption {
    static let option = Option(
        "--shard", "I/N[,RUN]",
        "only the I-th of N parts of the cases; auto: both from the CI engine, auto/N: I from it; "
            + "with the reports of a RUN all parts take about as long, and the longest begin first")

    /// Returns the requested part, and how long cases took in the named run.
    ///
    /// `nil` for the whole plan, and for an unknown time.
    static func value(
        _ arguments: Arguments
    ) throws -> (number: ShardNumber?, times: CaseTimes?) {
        let parts = arguments.value(option.name)?.split(
            separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let part = parts?.first else { return (nil, nil) }
        let run = parts?.dropFirst().first.map(String.init)
        return (
            try shard(String(part)),
            try run.map { path in CaseTimes(of: try StoredRun(path).run) }
        )
    }

    /// Throws if the value does not name a part.
    static func checkPart(_ arguments: Arguments) throws(UsageError) {
        guard let part = arguments.value(option.name)?.split(separator: ",").first else { return }
        _ = try shard(String(part))
    }

    /// The variables of a CI engine that give the part of a job.
    private struct Engine {
        let index: String
        let total: String?
        /// The first index of the engine, or the name of a variable that holds it.
        let first: String
    }

    private static let engines = [
        Engine(index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", first: "1"),
        Engine(index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS", first: "0"),
        Engine(
            index: "SLURM_ARRAY_TASK_ID", total: "SLURM_ARRAY_TASK_COUNT",
            first: "SLURM_ARRAY_TASK_MIN"),
        Engine(index: "BUILDKITE_PARALLEL_JOB", total: "BUILDKITE_PARALLEL_JOB_COUNT", first: "0"),
        Engine(index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL", first: "0"),
        Engine(index: "JOB_COMPLETION_INDEX", total: nil, first: "0"),
    ]

    /// Returns the part that a text names.
    static func shard(_ text: String) throws(UsageError) -> ShardNumber {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first == "auto", parts.count <= 2 else {
            guard let shard = ShardNumber(text) else {
                throw UsageError(
                    "\(option.name) takes I/N with I from 1 to N, or auto, not \"\(text)\"")
            }
            return shard
        }
        let total = parts.count == 2 ? Int(parts[1]) : nil
        guard parts.count == 1 || (total ?? 0) > 0 else {
            throw UsageError("\(option.name) takes auto/N with a number N, not \"\(text)\"")
        }
        return try automatic(total)
    }

    private static func automatic(_ total: Int?) throws(UsageError) -> ShardNumber {
        guard let engine = engines.first(where: { Terminal.variable($0.index) != nil }) else {
            let names = engines.map(\.index).joined(separator: ", ")
            throw UsageError(
                "\(option.name) auto finds no CI engine that says which part this is "
                    + "(none of \(names) is set); say it: \(option.name) I/N")
        }
        func number(_ name: String) throws(UsageError) -> Int {
            guard let number = Terminal.variable(name).flatMap({ Int($0) }) else {
                throw UsageError(
                    "\(option.name) auto: \(name) is \"\(Terminal.variable(name) ?? "")\", "
                        + "not a number; say the part: \(option.name) I/N")
            }
            return number
        }
        var count = total
        if count == nil, let name = engine.total { count = try number(name) }
        guard let count else {
            throw UsageError(
                "\(engine.index) does not give the number of parts; "
                    + "give it: \(option.name) auto/N")
        }
        var first = Int(engine.first) ?? 0
        if Int(engine.first) == nil { first = try number(engine.first) }
        let index = try number(engine.index) - first + 1
        guard let shard = ShardNumber(index: index, total: count) else {
            throw UsageError(
                "\(option.name) auto: \(engine.index) makes this part \(index) of \(count); "
                    + "say the part: \(option.name) I/N")
        }
        return shard
    }
}
