import Capture
import Glibc
import Synchronization
import Wire

/// Captures read by several engines at the same time.
///
/// Each engine follows its share of the connections on a thread of its own. Every engine reads all
/// packets, and leaves those of other shares after the headers. Numbers of messages, and of
/// connections, are those within the share.
public enum ShardedTrace {
    /// The results of the engine of one share.
    public struct Share<Rest: Sendable>: Sendable {
        /// The screen, in its final state.
        public let screen: any MessageScreen
        /// The result of processing the messages that the screen wanted.
        public let rest: Rest
        /// The statistics of the share.
        ///
        /// Packets that belong to no connection are counted only in the first share.
        public let statistics: TraceStatistics
        /// The reasons why files could not be read to their ends; the same in every share.
        public let damages: [CaptureError]
    }

    /// Reads captures as one trace.
    ///
    /// - Parameters:
    ///   - paths: The files; with several shares each is opened several times.
    ///   - options: The options for reading, apart from the shard.
    ///   - count: The number of shares, and of threads that read.
    ///   - screen: Creates the screen of a share.
    ///   - rest: The initial result, to which the wanted messages are added.
    ///   - deliver: Adds a wanted message.
    /// - Returns: The shares in their order.
    /// - Throws: What opening the files throws.
    public static func read<Rest: Sendable>(
        _ paths: [String], options: TraceOptions, shares count: Int,
        screen: @escaping @Sendable () -> any MessageScreen, rest: Rest,
        deliver: @escaping @Sendable (inout Rest, TraceMessage) -> Void
    ) throws(CaptureError) -> [Share<Rest>] {
        try shares(count) { shard throws(CaptureError) in
            var options = options
            options.shard = shard
            return try read(paths, options, screen: screen(), rest: rest, deliver: deliver)
        }
    }

    /// Runs a closure for each share of the connections, on a thread of its own.
    ///
    /// - Returns: The results, in the order of the shares.
    /// - Throws: What `body` throws.
    public static func shares<Outcome: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (FlowShard) throws(CaptureError) -> Outcome
    ) throws(CaptureError) -> [Outcome] {
        let jobs = (0..<max(1, count)).map { index in
            Job {
                Result { () throws(CaptureError) in
                    try body(FlowShard(index: index, count: max(1, count)))
                }
            }
        }
        // The first share is read by the calling thread.
        let threads = jobs.dropFirst().map { Thread(running: $0) }
        jobs[0].run()
        for thread in threads { thread.join() }
        var outcomes: [Outcome] = []
        for job in jobs {
            guard let result = job.result else { continue }
            outcomes.append(try result.get())
        }
        return outcomes
    }

    private static func read<Rest: Sendable>(
        _ paths: [String], _ options: TraceOptions, screen: any MessageScreen, rest: Rest,
        deliver: (inout Rest, TraceMessage) -> Void
    ) throws(CaptureError) -> Share<Rest> {
        var engine = TraceEngine(options, screen: screen)
        var messages: [TraceMessage] = []
        var rest = rest
        let series = try CaptureSeries(joining: paths, secrets: options.secrets)
        try engine.consume(series, into: &messages) { messages in
            for message in messages { deliver(&rest, message) }
            messages.removeAll(keepingCapacity: true)
        }
        engine.finish(at: nil, into: &messages)
        for message in messages { deliver(&rest, message) }
        return Share(
            screen: engine.screen, rest: rest, statistics: engine.statistics,
            damages: series.damages)
    }

    /// Returns the worthwhile number of shares for files.
    ///
    /// It is one for each processor that this process may use and each mebibyte to be read, and a
    /// single one for what can be read only once.
    public static func shareCount(for paths: [String]) -> Int {
        var size = 0
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 1 }
            size += Int(status.st_size)
        }
        return max(1, min(Processors.count, sharesMax, size >> 20))
    }

    /// The maximum number of shares.
    ///
    /// Above it the headers that every share reads cost more than another share saves.
    private static let sharesMax = 8
}

/// A piece of work, and its result.
private final class Job<Outcome: Sendable>: Sendable {
    private let body: @Sendable () -> Outcome
    private let outcome = Mutex<Outcome?>(nil)

    init(_ body: @escaping @Sendable () -> Outcome) {
        self.body = body
    }

    /// The result; `nil` until the job has been run.
    var result: Outcome? { outcome.withLock { $0 } }

    func run() {
        let value = body()
        outcome.withLock { $0 = value }
    }
}

/// A thread that runs a job; the calling thread runs it if no thread can be created.
private struct Thread {
    private var identifier: pthread_t?

    init<Outcome>(running job: Job<Outcome>) {
        let context = Unmanaged.passRetained(Start { job.run() }).toOpaque()
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                if let context {
                    Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                }
                return nil
            }, context)
        if failure == 0 {
            identifier = thread
        } else {
            Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
        }
    }

    func join() {
        if let identifier { pthread_join(identifier, nil) }
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
