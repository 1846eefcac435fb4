import Capture
import Offline
import SuiteLanguage
import Trace

/// How the captures on a command line are read.
enum CaptureOptions {
    static let join = Option(
        "--join", nil, "read all captures as one trace, ordered by time")
    static let follow = Option(
        "--follow", nil, "wait for more at the end of a capture that is still being written")
    static let idle = Option(
        "--idle", "DURATION", "with --follow: end after this time without growth, such as 10s")

    static let checksums = Option(
        "--checksums", nil, "leave out segments whose TCP checksum is wrong, and count them")
    static let threads = Option(
        "--threads", "N", "read with N threads (default: one for each processor)")

    static let dissect = Option(
        "--dissect", "NAME=tshark",
        "messages tshark.NAME by this dissector of Wireshark, slowly; NAME@8883 or NAME@udp/53 if "
            + "the port is not its own", repeats: true)

    static let limit = Option(
        "--limit", "NAME=N",
        "raise a limit on what a capture may be: "
            + CaptureLimit.allCases.map(\.rawValue).joined(separator: ", "), repeats: true)

    static let limitTime = Option(
        "--limit-time", "DURATION",
        "read and judge captures no longer than this, such as 60s; what is not judged by then is "
            + "inconclusive")

    /// Sets the limits that are given.
    static func setLimits(_ arguments: Arguments) throws(UsageError) {
        for text in arguments.all(limit.name) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let name = CaptureLimit(rawValue: parts[0]),
                let value = Int(parts[1]), value > 0
            else {
                let names = CaptureLimit.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(
                    "\(limit.name) takes NAME=N with a NAME of \(names), not \"\(text)\"")
            }
            name.set(value)
        }
        guard let text = arguments.value(limitTime.name) else { return }
        guard let length = Duration(suiteText: text), length > .zero else {
            throw UsageError(
                "\(limitTime.name) takes a duration such as 60s or 5m, not \"\(text)\"")
        }
        ReadingTime.set(length)
    }

    /// Returns the dissection in addition to the protocols of the program; `nil` for none.
    static func dissection(_ arguments: Arguments) throws(UsageError) -> TsharkDissection? {
        let texts = arguments.all(dissect.name)
        if texts.isEmpty { return nil }
        let requests = try texts.map { text throws(UsageError) in
            guard let request = TsharkDissection.Request(text) else {
                throw UsageError(
                    "\(dissect.name) takes NAME=tshark, NAME@PORT=tshark or NAME@udp/PORT=tshark, "
                        + "not \"\(text)\"")
            }
            return request
        }
        do throws(CheckError) {
            return try TsharkDissection(requests)
        } catch {
            throw UsageError(error.description)
        }
    }

    /// Returns how captures are read.
    static func trace(_ arguments: Arguments) -> TraceOptions {
        var options = TraceOptions(arguments.protocols)
        options.verifiesChecksums = arguments.has(checksums.name)
        return options
    }

    /// Returns the number of threads for reading captures.
    static func shares(_ paths: [String], _ arguments: Arguments) throws(UsageError) -> Int {
        guard let text = arguments.value(threads.name) else {
            return ShardedTrace.shareCount(for: paths)
        }
        guard let count = Int(text), (1...64).contains(count) else {
            throw UsageError("\(threads.name) takes a number from 1 to 64, not \"\(text)\"")
        }
        return min(count, paths.contains(where: CaptureFile.isStream) ? 1 : count)
    }

    /// Returns the captures that are read together: each by itself, or all with `--join`.
    ///
    /// A folder is replaced by the captures in it.
    static func groups(_ operands: [String], _ arguments: Arguments) throws -> [[String]] {
        let paths = try operands.flatMap { try CaptureFolder.captures(at: $0) }
        if paths.count(where: { $0 == "-" }) > 1 {
            throw UsageError("standard input (-) can be read once; name it once")
        }
        if arguments.has(follow.name), paths.count > 1 {
            throw UsageError("\(follow.name) takes one capture, not \(paths.count)")
        }
        if arguments.has(join.name), paths.count > 1, paths.contains(where: CaptureFile.isStream) {
            throw UsageError(
                "standard input (-) and pipes cannot be joined with files; save it first")
        }
        return arguments.has(join.name) ? [paths] : paths.map { [$0] }
    }

    /// Returns whether and how long to wait at the end of a capture.
    static func following(_ arguments: Arguments) throws(UsageError) -> Following? {
        let text = arguments.value(idle.name)
        guard arguments.has(follow.name) else {
            if text != nil {
                throw UsageError("\(idle.name) has no meaning without \(follow.name)")
            }
            return nil
        }
        guard let text else { return Following() }
        guard let limit = Duration(suiteText: text) else {
            throw UsageError(
                "\(idle.name) takes a duration such as 10s or 500ms, not \"\(text)\"")
        }
        return Following(idleLimit: limit)
    }
}
