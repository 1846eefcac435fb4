import Capture
import Offline
import SuiteLanguage
import System
import Trace
import Wire

/// How the captures on a command line are read.
enum CaptureOptions {
    static let join = Option(
        "--join", nil, "read all captures as one trace, ordered by time")
    private static let forever = "forever"
    static let follow = Option(
        "--follow", "DURATION|\(forever)",
        "read a capture that is still being written, until nothing has come for this time, such as "
            + "10s, or until it is interrupted")

    /// What is known of captures, although they do not say so.
    enum Assumption: String, CaseIterable {
        /// They saw everything until their last packet.
        case complete
        /// Checksums were not left to the network card.
        case checksums
        /// It does not matter for which case `conform` made them.
        case foreign
    }
    private static let meaningOfChecksums =
        "\(Assumption.checksums): segments with a wrong TCP checksum are left out, and counted"
    /// The option for judging captures.
    static let assume = Option(
        "--assume", Assumption.allCases.map(\.rawValue).joined(separator: "|"),
        "complete: the capture saw everything until its last packet, although the file does not "
            + "say so; \(meaningOfChecksums); foreign: a capture of conform is judged by this "
            + "suite whatever case it was made for", repeats: true)
    /// The option for printing captures.
    static let assumeOfDecode = Option(
        assume.name, Assumption.checksums.rawValue, meaningOfChecksums)

    static let dissect = Option(
        "--dissect", "NAME=tshark",
        "messages tshark.NAME by this dissector of Wireshark, slowly; NAME@8883 or NAME@udp/53 if "
            + "the port is not its own", repeats: true)

    static let keyLog = Option(
        "--keylog", "FILE",
        "a key log of TLS connections, as the variable SSLKEYLOGFILE makes programs write it",
        repeats: true)
    /// The largest size of a key log: a million lines.
    private static let keyLogBytesMax = 256 << 20

    /// The word of `--limit` for the number of threads.
    private static let threads = "threads"
    /// The word of `--limit` for the time for reading and judging.
    private static let time = ReadingTime.name
    private static let limitNames =
        (CaptureLimit.allCases.map(\.rawValue) + [threads, time]).joined(separator: ", ")
    private static let threadsMax = 64

    static let limit = Option(
        "--limit", "NAME=N",
        "set a limit on what reading a capture may cost: \(limitNames); what is not judged after "
            + "time=60s is inconclusive", repeats: true)

    /// Returns a given limit as its name and its value.
    private static func parts(ofLimit text: String) -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.dropFirst().first ?? "")
    }

    /// Sets the limits that are given.
    static func setLimits(_ arguments: Arguments) throws(UsageError) {
        for text in arguments.all(limit.name) {
            let (name, value) = parts(ofLimit: text)
            if name == time {
                guard let length = Duration(suiteText: value), length > .zero else {
                    throw UsageError(
                        "\(limit.name) \(time) takes a duration such as 60s or 5m, "
                            + "not \"\(value)\"")
                }
                ReadingTime.set(length)
                continue
            }
            guard let number = Int(value), number > 0 else {
                throw UsageError(
                    "\(limit.name) takes NAME=N with a NAME of \(limitNames), not \"\(text)\"")
            }
            if name == threads {
                guard number <= threadsMax else {
                    throw UsageError(
                        "\(limit.name) \(threads) takes a number from 1 to \(threadsMax), "
                            + "not \(value)")
                }
                continue
            }
            guard let known = CaptureLimit(rawValue: name) else {
                throw UsageError(
                    "\(limit.name) takes NAME=N with a NAME of \(limitNames), not \"\(text)\"")
            }
            known.set(number)
        }
    }

    /// Returns the arguments without the limit on threads, which affects no verdict.
    static func withoutThreads(_ arguments: Arguments) -> Arguments {
        var others = arguments
        others.set(
            limit, to: arguments.all(limit.name).filter { parts(ofLimit: $0).name != threads })
        return others
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

    /// Returns what is assumed of the captures.
    static func assumptions(
        _ arguments: Arguments, of option: Option
    ) throws(UsageError) -> Set<Assumption> {
        let known = (option.value ?? "").split(separator: "|").map(String.init)
        return Set(
            try arguments.all(option.name).map { word throws(UsageError) in
                guard known.contains(word), let assumption = Assumption(rawValue: word) else {
                    throw UsageError(
                        "\(option.name) takes \(known.joined(separator: " or ")), "
                            + "not \"\(word)\"")
                }
                return assumption
            })
    }

    /// Returns how captures are read.
    ///
    /// - Throws: `UsageError` if a key log cannot be read.
    static func trace(
        _ arguments: Arguments, assuming assumptions: Set<Assumption>
    ) throws(UsageError) -> TraceOptions {
        var options = TraceOptions(arguments.protocols)
        for path in arguments.all(keyLog.name) {
            let text: [UInt8]
            do throws(FileError) {
                text = try NamedInput(path).contents(limit: keyLogBytesMax)
            } catch {
                throw UsageError("\(keyLog.name): \(error)")
            }
            guard holdsSecrets(text) else {
                throw UsageError(
                    "\(keyLog.name): \(path) has no line of a key log; give the file that the "
                        + "variable SSLKEYLOGFILE has named")
            }
            options.secrets.add(keyLog: text)
        }
        options.verifiesChecksums = assumptions.contains(.checksums)
        return options
    }

    /// Whether a key log has a secret, or nothing but comments yet.
    private static func holdsSecrets(_ text: [UInt8]) -> Bool {
        let secrets = DecryptionSecrets()
        secrets.add(keyLog: text)
        return secrets.count > 0
            || text.split(separator: 10).allSatisfy { $0.first == UInt8(ascii: "#") }
    }

    /// Returns the number of threads for reading captures.
    static func shares(_ paths: [String], _ arguments: Arguments) -> Int {
        let limits = arguments.all(limit.name).map(parts(ofLimit:))
        let most = limits.last { $0.name == threads }.flatMap { Int($0.value) }
        return min(ShardedTrace.shareCount(for: paths), most ?? threadsMax)
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
        guard let text = arguments.value(follow.name) else { return nil }
        if text == forever { return Following() }
        guard let limit = Duration(suiteText: text) else {
            throw UsageError(
                "\(follow.name) takes a duration such as 10s or 500ms, or \(forever), "
                    + "not \"\(text)\"")
        }
        return Following(idleLimit: limit)
    }
}
