import Capture
import Protocols
import Reports
import Runner
import Suites
import Trace

extension Command {
    /// `conform decode`: every message of a capture.
    static let decode = Command(
        name: "decode", operands: "CAPTURE|DIR|- ...",
        summary: "Prints every message of captures with name, time, direction, frames and fields.",
        options: [
            format, message, filter, fields, stream, stats, CaptureOptions.checksums,
            CaptureOptions.threads, CaptureOptions.join, CaptureOptions.follow,
            CaptureOptions.idle,
        ]
    ) { arguments in
        let request = try Request(arguments)
        var status: Int32 = 0
        for paths in try CaptureOptions.groups(arguments.operands, arguments) {
            let damages =
                try request.countsHeads
                ? printCounts(paths, request, shares: CaptureOptions.shares(paths, arguments))
                : print(paths, request)
            for damage in damages {
                StandardError.print(damage.message)
                status = ExitStatus.couldNotJudge.rawValue
            }
        }
        return status
    }

    private static let format = Option(
        "--format", "text|indented|json",
        "a line for each message (default), its fields indented below it, or JSON Lines")
    private static let message = Option(
        "--message", "PATTERN", "only messages whose name matches (* any characters, ? one)")
    private static let filter = Option(
        "--filter", "EXPRESSION",
        "only messages that satisfy it, as sdl.service_type == 7 && rpc.function == \"Show\"")
    private static let fields = Option(
        "--fields", "PATH[,PATH ...]", "only these fields, separated by tabs")
    private static let stream = Option(
        "--stream", "N", "only messages of that TCP connection, counted from 0")
    private static let stats = Option(
        "--stats", nil, "counts, rates and times to the answer instead of the messages")

    /// What is to be printed.
    private struct Request {
        let format: TraceListing.Format
        let fields: [FieldPath]?
        let wantsStatistics: Bool
        let following: Following?
        let options: TraceOptions
        private let pattern: CasePattern?
        private let filter: MessageFilter?
        private let stream: Int?

        init(_ arguments: Arguments) throws {
            guard !arguments.operands.isEmpty else {
                throw UsageError("no capture is named; give at least one")
            }
            let word = arguments.value(Command.format.name) ?? "text"
            guard let format = TraceListing.Format(rawValue: word) else {
                throw UsageError(
                    "\(Command.format.name) takes text, indented or json, not \"\(word)\"")
            }
            self.format = format
            pattern = try arguments.value(Command.message.name).map(Request.pattern)
            filter = try arguments.value(Command.filter.name).map(Request.filter)
            fields = try arguments.value(Command.fields.name).map(Request.fields)
            stream = try arguments.value(Command.stream.name).map(Request.stream)
            wantsStatistics = arguments.has(Command.stats.name)
            if wantsStatistics, fields != nil {
                throw UsageError(
                    "\(Command.stats.name) prints no messages; leave out \(Command.fields.name)")
            }
            following = try CaptureOptions.following(arguments)
            options = CaptureOptions.trace(arguments)
        }

        /// Whether all messages are counted and nothing else, for which their headers are enough.
        var countsHeads: Bool {
            wantsStatistics && following == nil && pattern == nil && filter == nil && stream == nil
        }

        /// Who says which messages have to be decoded; `nil` for all.
        var screen: (any MessageScreen)? {
            pattern.map { pattern in NameScreen { pattern.matches($0) } }
        }

        func wants(_ message: TraceMessage) -> Bool {
            if let stream, message.flow != stream { return false }
            if let pattern, !pattern.matches(message.name) { return false }
            return filter?.accepts(name: message.name, values: message.values) ?? true
        }

        /// Refuses a pattern that no message can match.
        private static func pattern(_ pattern: String) throws(UsageError) -> CasePattern {
            let names = ProtocolCatalogue.messageNames
            guard !names.contains(where: CasePattern(pattern).matches) else {
                return CasePattern(pattern)
            }
            let advice = Suggestion.advice(for: pattern, in: names)
            throw UsageError(
                "there is no message \(pattern)"
                    + (advice.isEmpty
                        ? "; conform decode without it tells the names" : "; \(advice)"))
        }

        private static func filter(_ text: String) throws(UsageError) -> MessageFilter {
            do throws(MessageFilter.SyntaxError) {
                return try MessageFilter(text, additionalFields: TraceMessage.placeFields)
            } catch {
                throw UsageError(
                    "\(Command.filter.name), character \(error.column): \(error.description)\n"
                        + "    \(text)\n    "
                        + String(repeating: " ", count: max(0, error.column - 1)) + "^")
            }
        }

        /// Refuses a field that no message can have, by the same rule as a filter does.
        private static func fields(_ text: String) throws(UsageError) -> [FieldPath] {
            var paths: [FieldPath] = []
            for name in text.split(separator: ",", omittingEmptySubsequences: false) {
                let name = name.trimming(" ")
                guard let path = FieldPath(name) else {
                    throw UsageError(
                        "\(Command.fields.name) takes paths of fields, not \"\(name)\"")
                }
                do throws(MessageFilter.SyntaxError) {
                    _ = try MessageFilter(name, additionalFields: TraceMessage.placeFields)
                } catch {
                    throw UsageError("\(Command.fields.name): \(error.description)")
                }
                paths.append(path)
            }
            return paths
        }

        private static func stream(_ text: String) throws(UsageError) -> Int {
            guard let number = Int(text), number >= 0 else {
                throw UsageError(
                    "\(Command.stream.name) takes a number from 0 on, not \"\(text)\"")
            }
            return number
        }
    }

    /// Prints the counts of one trace; returns what is wrong with its files, if anything is.
    private static func printCounts(
        _ paths: [String], _ request: Request, shares count: Int
    ) throws -> [CaptureError] {
        let shares = try ShardedTrace.read(
            paths, options: request.options, shares: count, screen: { MessageTally() },
            rest: MessageStatistics(), take: { $0.add($1) })
        var statistics = MessageStatistics()
        var seen = TraceStatistics()
        for share in shares {
            statistics.merge(share.rest)
            if let tally = share.screen as? MessageTally { statistics.merge(tally) }
            if seen.packets == 0 {
                seen = share.statistics
            } else {
                seen.merge(share: share.statistics)
            }
        }
        let lines = request.format == .json ? statistics.objects() : statistics.table()
        lines.forEach { Swift.print($0) }
        let listing = TraceListing(format: request.format, columns: nil, style: Terminal.style)
        let name = paths.count == 1 ? paths[0] : "\(paths.count) captures"
        listing.summary(of: seen, path: name).forEach { Swift.print($0) }
        return shares.first?.damages ?? []
    }

    /// Prints one trace; returns what is wrong with its files, if anything is.
    private static func print(_ paths: [String], _ request: Request) throws -> [CaptureError] {
        var listing = TraceListing(
            format: request.format, columns: request.fields, style: Terminal.style)
        var statistics = MessageStatistics()
        var engine = TraceEngine(request.options, screen: request.screen)
        var messages: [TraceMessage] = []
        func take() {
            for message in messages where request.wants(message) {
                if request.wantsStatistics {
                    statistics.add(message)
                } else if request.following != nil {
                    // Who follows a capture wants to see the messages as they come.
                    StandardOutput.print(listing.line(for: message))
                } else {
                    Swift.print(listing.line(for: message))
                }
            }
            messages.removeAll(keepingCapacity: true)
        }
        let series = try CaptureSeries(paths: paths, following: request.following)
        try series.forEach { packet in
            engine.consume(packet, into: &messages)
            take()
        }
        engine.finish(at: nil, into: &messages)
        take()
        if request.wantsStatistics {
            let lines = request.format == .json ? statistics.objects() : statistics.table()
            lines.forEach { Swift.print($0) }
        }
        if request.fields == nil {
            let name = paths.count == 1 ? paths[0] : "\(paths.count) captures"
            listing.summary(of: engine.statistics, path: name).forEach { Swift.print($0) }
        }
        return series.damages
    }
}

extension Substring {
    /// The text without these characters at its ends.
    fileprivate func trimming(_ character: Character) -> String {
        var rest = self
        while rest.first == character { rest.removeFirst() }
        while rest.last == character { rest.removeLast() }
        return String(rest)
    }
}
