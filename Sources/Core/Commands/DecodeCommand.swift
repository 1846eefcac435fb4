import Capture
import Offline
import Reporting
import Results
import SuiteLanguage
import System
import Trace
import Wire

extension Command {
    /// `conform decode`: prints every message of a capture.
    static let decode = Command(
        name: "decode", operands: "CAPTURE|DIR|- ...",
        summary: "Prints every message of captures with name, time, direction, frames and fields.",
        groups: [
            OptionGroup(
                title: "Which messages",
                example: "decode capture.pcap --filter 'tcp.port == 12345'",
                options: [message, filter, stream]),
            OptionGroup(
                title: "What is printed",
                example: "decode capture.pcap --fields frame.number,message.name",
                options: [format, fields, stats, export]),
            OptionGroup(
                title: "Which protocols", example: "decode capture.pcap --dissect mqtt=tshark",
                options: [
                    suite, CommonOptions.peer, CommonOptions.described, CaptureOptions.dissect,
                ]),
            OptionGroup(
                title: "How captures are read", example: "decode growing.pcap --follow forever",
                options: [
                    CaptureOptions.keyLog, CaptureOptions.assumeOfDecode, CaptureOptions.join,
                    CaptureOptions.follow, CaptureOptions.limit,
                ]),
        ]
    ) { arguments in
        let request = try Request(arguments)
        if let path = arguments.value(export.name) {
            return try write(arguments.operands, to: path, request, arguments)
        }
        var status: Int32 = 0
        var several = SeveralStatistics(request.known)
        let listing = TraceListing(format: request.format, columns: nil, style: Terminal.style)
        // The counts before a file that cannot be read are printed too.
        defer { several.table(listing).forEach { StandardOutput.print($0) } }
        for paths in try CaptureOptions.groups(arguments.operands, arguments) {
            let damages =
                try request.countsHeaders
                ? count(
                    paths, request, shares: CaptureOptions.shares(paths, arguments), &several)
                : request.wantsStatistics
                    ? countSelection(paths, request, &several) : print(paths, request)
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

    private static let suite = Option(
        "--suite", "SUITE",
        "cut the streams of its peers into messages as it says, and decode its protocols")

    private static let export = Option(
        "--export", "FILE",
        "write the Bluetooth HCI packets, of TCP connections too, as pcapng with link type 201")

    /// Writes the HCI packets of captures to a new capture.
    private static func write(
        _ paths: [String], to path: String, _ request: Request, _ arguments: Arguments
    ) throws -> Int32 {
        let others = [
            format, message, filter, fields, stream, stats, suite, CommonOptions.peer,
            CommonOptions.described, CaptureOptions.dissect,
        ].filter { arguments.has($0.name) }
        if let other = others.first {
            throw UsageError("\(export.name) prints no messages; leave out \(other.name)")
        }
        var packets = HCIExport(request.options)
        let series = try CaptureSeries(
            joining: paths, following: request.following, secrets: request.options.secrets)
        try packets.read(series)
        if packets.hasOthers {
            if paths.contains("-") {
                StandardOutput.print(
                    "reports of apps and other connections are left out: standard input is read once"
                )
            } else {
                try packets.readOthers(CaptureSeries(joining: paths))
            }
        }
        try packets.write(to: path, source: name(paths))
        series.damages.forEach { StandardError.print($0.message) }
        StandardOutput.print("\(path): \(packets.count) HCI packets")
        if packets.skipped > 0 {
            StandardOutput.print("    \(packets.skipped) packets without a direction left out")
        }
        return series.damages.isEmpty ? 0 : ExitStatus.couldNotJudge.rawValue
    }

    /// What to print.
    private struct Request {
        let format: TraceListing.Format
        let fields: [TraceField]?
        let wantsStatistics: Bool
        let following: Following?
        let options: TraceOptions
        let selection: MessageSelection
        let known: KnownMessages
        private let suite: Suite?
        private let peers: [String: Endpoint]
        private let dissection: TsharkDissection?

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
            let suite = try arguments.value(Command.suite.name).map {
                try SuiteLoader(arguments.protocols).load(path: $0, searchPath: [])
            }
            self.suite = suite
            peers = try CommonOptions.peerEndpoints(arguments)
            guard suite != nil || peers.isEmpty else {
                throw UsageError("\(CommonOptions.peer.name) goes with \(Command.suite.name)")
            }
            let known = try Request.known(arguments, suite)
            self.known = known
            dissection = try CaptureOptions.dissection(arguments)
            let further = Request.placeFields + (dissection?.fieldNames ?? [])
            let names = dissection?.messageNames ?? []
            let pattern = try arguments.value(Command.message.name).map {
                try Request.pattern($0, known, names)
            }
            let filter = try arguments.value(Command.filter.name).map {
                try Request.filter($0, known, further)
            }
            fields = try arguments.value(Command.fields.name).map {
                try Request.fields($0, known, further)
            }
            let stream = try arguments.value(Command.stream.name).map(Request.stream)
            selection = MessageSelection(
                of: known.protocols, pattern: pattern, filter: filter, stream: stream)
            wantsStatistics = arguments.has(Command.stats.name)
            if wantsStatistics, fields != nil {
                throw UsageError(
                    "\(Command.stats.name) prints no messages; leave out \(Command.fields.name)"
                )
            }
            following = try CaptureOptions.following(arguments)
            var options = try CaptureOptions.trace(
                arguments,
                assuming: try CaptureOptions.assumptions(
                    arguments, of: CaptureOptions.assumeOfDecode))
            options.decode(known.own)
            self.options = options
        }

        /// Whether messages are shown as they come: on a terminal, or when following a capture.
        var isImmediate: Bool { following != nil || Terminal.isTerminal }

        /// Whether all messages are only counted, so that their headers are enough.
        var countsHeaders: Bool {
            wantsStatistics && following == nil && selection.isEverything && dissection == nil
        }

        /// Returns the options for one trace.
        ///
        /// Reports on standard error what another program finds in it.
        func options(for paths: [String]) throws -> TraceOptions {
            var options = options
            if let suite { try options.cutStreams(of: suite, in: paths, peers: peers) }
            guard let dissection else { return options }
            guard paths.count == 1, let path = paths.first, !CaptureFile.isStream(path),
                following == nil
            else {
                throw UsageError(
                    "\(CaptureOptions.dissect.name) takes captures that are finished, in files, "
                        + "one by one")
            }
            let found = try dissection.find(in: path)
            StandardError.print("conform: \(path): \(found)")
            options.dissected = found.units
            return options
        }

        /// Returns the protocols of the program, of the options and of the suite.
        private static func known(
            _ arguments: Arguments, _ suite: Suite?
        ) throws -> KnownMessages {
            let named = try CommonOptions.known(arguments)
            let further = (suite?.cases.protocols ?? []).filter { one in
                !named.own.contains { $0.name == one.name }
            }
            return KnownMessages(named.protocols, named.own + further)
        }

        /// Returns a pattern; rejects one that no message can match.
        private static func pattern(
            _ pattern: String, _ known: KnownMessages, _ further: Set<String>
        ) throws(UsageError) -> CasePattern {
            let names =
                known.protocols.messageNames
                + known.own.flatMap { $0.description.messages.map(\.name) } + further
            guard !names.contains(where: CasePattern(pattern).matches) else {
                return CasePattern(pattern)
            }
            let advice = Suggestion.advice(for: pattern, in: names)
            throw UsageError(
                "there is no message \(pattern)"
                    + (advice.isEmpty
                        ? "; conform decode without it shows the names" : "; \(advice)"))
        }

        private static let placeFields = TraceField.Place.allCases.map(\.rawValue)

        private static func filter(
            _ text: String, _ known: KnownMessages, _ further: [String]
        ) throws(UsageError) -> MessageFilter {
            do throws(MessageFilter.SyntaxError) {
                return try MessageFilter(text, known, additionalFields: further)
            } catch {
                throw UsageError(
                    "\(Command.filter.name), character \(error.column): \(error.description)\n"
                        + "    \(text)\n    "
                        + String(repeating: " ", count: max(0, error.column - 1)) + "^")
            }
        }

        /// Returns fields; rejects a field that no message can have, by the same rule as a filter.
        private static func fields(
            _ text: String, _ known: KnownMessages, _ further: [String]
        ) throws(UsageError) -> [TraceField] {
            var fields: [TraceField] = []
            for name in text.split(separator: ",", omittingEmptySubsequences: false) {
                let name = name.trimming(" ")
                guard let path = FieldPath(name) else {
                    throw UsageError(
                        "\(Command.fields.name) takes paths of fields, not \"\(name)\""
                    )
                }
                do throws(MessageFilter.SyntaxError) {
                    _ = try MessageFilter(name, known, additionalFields: further)
                } catch {
                    throw UsageError("\(Command.fields.name): \(error.description)")
                }
                fields.append(TraceField(path, in: known.protocols))
            }
            return fields
        }

        private static func stream(_ text: String) throws(UsageError) -> Int {
            guard let number = Int(text), number >= 0 else {
                throw UsageError("\(Command.stream.name) takes a number from 0 on, not \"\(text)\"")
            }
            return number
        }
    }

    /// Counts the messages of one trace; returns the errors in its files.
    private static func count(
        _ paths: [String], _ request: Request, shares count: Int,
        _ several: inout SeveralStatistics
    ) throws -> [CaptureError] {
        let shares = try ShardedTrace.read(
            paths, options: try request.options(for: paths), shares: count,
            screen: { MessageTally(request.known.protocols) },
            rest: MessageStatistics(request.known), deliver: { $0.add($1) })
        var statistics = MessageStatistics(request.known)
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
        consume(statistics, seen, of: paths, request, &several)
        return shares.first?.damages ?? []
    }

    /// Takes the counts of one trace: objects are printed at once, a table once all are known.
    private static func consume(
        _ statistics: MessageStatistics, _ seen: TraceStatistics, of paths: [String],
        _ request: Request, _ several: inout SeveralStatistics
    ) {
        guard request.format == .json else {
            return several.add(statistics, seen, of: name(paths))
        }
        let listing = TraceListing(format: request.format, columns: nil, style: Terminal.style)
        let lines = statistics.objects() + listing.summary(of: seen, path: name(paths))
        for line in lines {
            StandardOutput.write(CommandGuard.harmless(Array((line + "\n").utf8), isJSON: true))
        }
    }

    /// Returns the common name of the files of one trace.
    private static func name(_ paths: [String]) -> String {
        paths.count == 1 ? paths[0] : "\(paths.count) captures"
    }

    /// Prints one trace; returns the errors in its files.
    private static func print(_ paths: [String], _ request: Request) throws -> [CaptureError] {
        let listing = TraceListing(
            format: request.format, columns: request.fields, style: Terminal.style)
        var writer = TraceWriter(
            listing, of: request.selection, isImmediate: request.isImmediate
        ) { StandardOutput.write(CommandGuard.harmless($0, isJSON: request.format == .json)) }
        defer { writer.flush() }
        let (seen, damages) = try read(paths, request, screen: writer.screen) {
            writer.write($0)
        }
        if request.fields == nil {
            writer.write(lines: listing.summary(of: seen, path: name(paths)))
        }
        return damages
    }

    /// Counts a selection of one trace; returns the errors in its files.
    private static func countSelection(
        _ paths: [String], _ request: Request, _ several: inout SeveralStatistics
    ) throws -> [CaptureError] {
        var statistics = MessageStatistics(request.known)
        let (seen, damages) = try read(paths, request, screen: request.selection.screen) {
            for message in $0 where request.selection.contains(message) {
                statistics.add(message)
            }
        }
        consume(statistics, seen, of: paths, request, &several)
        return damages
    }

    /// Reads one trace and passes on the messages of several packets together.
    ///
    /// If messages are shown as they come, it passes on those of each packet, even if there are
    /// none.
    private static func read(
        _ paths: [String], _ request: Request, screen: (any MessageScreen)?,
        deliver: ([TraceMessage]) -> Void
    ) throws -> (TraceStatistics, [CaptureError]) {
        var engine = TraceEngine(try request.options(for: paths), screen: screen)
        var messages: [TraceMessage] = []
        let series = try CaptureSeries(
            joining: paths, following: request.following, secrets: request.options.secrets)
        func give(_ messages: inout [TraceMessage]) {
            messages.removeAll { $0.content is StreamBeginning }
            deliver(messages)
            messages.removeAll(keepingCapacity: true)
        }
        if request.isImmediate {
            try series.forEach { packet in
                engine.consume(packet, into: &messages)
                give(&messages)
            }
        } else {
            try engine.consume(series, into: &messages, give)
        }
        engine.finish(at: nil, into: &messages)
        give(&messages)
        return (engine.statistics, series.damages)
    }
}

extension Substring {
    /// Returns the text without this character at its ends.
    fileprivate func trimming(_ character: Character) -> String {
        var rest = self
        while rest.first == character { rest.removeFirst() }
        while rest.last == character { rest.removeLast() }
        return String(rest)
    }
}
