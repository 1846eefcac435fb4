import Judge
import Results
import SuiteLanguage
import TCPIP
import Wire

/// Reads `.traces` files; `Tests/CorpusTests/README.md` describes them.
struct PairReader {
    /// An error in a file of traces.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    private let file: String
    private var number = 0
    private var testCase: String?
    private var pairs: [Pair] = []

    /// Returns the pairs of a file.
    static func pairs(of text: String, file: String) throws -> [Pair] {
        var reader = PairReader(file: file)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            reader.number += 1
            try reader.read(line)
        }
        if let open = reader.pairs.first(where: { $0.verdict == nil }) {
            throw Mistake(description: "\(file):\(open.line): \(open.name) has no verdict")
        }
        return reader.pairs
    }

    private init(file: String) {
        self.file = file
    }

    private func mistake(_ text: String) -> Mistake {
        Mistake(description: "\(file):\(number): \(text)")
    }

    private mutating func read(_ line: Substring) throws {
        guard let first = line.first(where: { $0 != " " }), first != "#" else { return }
        var words = Words(line)
        if line.hasPrefix("  ") {
            guard let last = pairs.indices.last, pairs[last].verdict == nil else {
                throw mistake("a line of a trace outside of one")
            }
            if words.first == "capture" {
                try readCapture(&words, into: &pairs[last].capture)
            } else {
                pairs[last].script.append(try scriptLine(&words))
            }
            return
        }
        switch words.next() {
        case "case": testCase = words.rest
        case "trace":
            guard let testCase else { throw mistake("a trace before any case") }
            pairs.append(Pair(testCase: testCase, name: words.rest, line: number))
        case let word?:
            guard let last = pairs.indices.last, pairs[last].verdict == nil else {
                throw mistake("a verdict without a trace")
            }
            pairs[last].verdict = try verdict(word, words.rest)
        case nil: break
        }
    }

    // MARK: - Verdicts

    /// Reads a verdict: `fail sequence C-1: words
    /// more words`.
    private func verdict(_ word: String, _ rest: String) throws -> Pair.Verdict {
        let parts = "\(word) \(rest)".split(separator: ":", maxSplits: 1)
        let head = parts[0].split { $0 == " " || $0 == "," }.map(String.init)
        let verdict = Results.Verdict(rawValue: head[0])
        if verdict == nil, head[0] != "refused" { throw mistake("\(head[0]) is no verdict") }
        let code = head.dropFirst().first.map { ReasonCode(rawValue: $0) }
        if case .some(nil) = code { throw mistake("\(head[1]) is no code") }
        let words = parts.dropFirst().first?.split(separator: "|").map(Self.trimmed) ?? []
        return Pair.Verdict(
            verdict: verdict, code: code ?? nil,
            requirements: head.count > 2 ? Array(head.dropFirst(2)) : nil, words: words)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    // MARK: - Lines

    private func readCapture(_ words: inout Words, into capture: inout CaptureConditions) throws {
        _ = words.next()
        guard let key = words.next() else { throw mistake("what of the capture?") }
        if key == "parameters" { return capture.parameters = try fields(words.rest) }
        let value = words.next()
        switch (key, value.flatMap(Double.init)) {
        case ("foreign", nil): capture.isForeign = true
        case ("dropped", let number?): capture.dropped = Int(number)
        case ("cut", let number?): capture.cut = Int(number)
        case ("clock-step", let number?): capture.clockStep = number
        case ("ends", let number?):
            capture.end = number
            switch words.next() {
            case nil: capture.cause = .captureEnded
            case "interrupted": capture.cause = .interrupted
            case "timeout": capture.cause = .timeout
            case let cause?: throw mistake("\(cause) is no way to end")
            }
        default: throw mistake("a capture cannot be \(key)")
        }
    }

    private func scriptLine(_ words: inout Words) throws -> ScriptLine {
        let times = (words.next() ?? "").split(separator: "-").map { Double($0) }
        guard let first = times.first, let time = first, times.count <= 2,
            let end = times.count == 2 ? times[1] : .some(time)
        else { throw mistake("a line of a trace begins with a time") }
        let mark = try mark(&words)
        guard let parties = words.next() else { throw mistake("who sends it?") }
        let ends = parties.split(separator: ">").map(String.init)
        let sender = ends[0]
        return ScriptLine(
            number: number, time: time, endTime: times.count == 2 ? end : nil, mark: mark,
            sender: sender,
            receiver: ends.count > 1 ? ends[1] : sender.hasPrefix("hu") ? "device" : "hu",
            content: try content(&words, from: sender))
    }

    private func mark(_ words: inout Words) throws -> ScriptLine.Mark {
        switch words.first {
        case "!": _ = words.next(); return .culprit
        case "~": _ = words.next(); return .nearest
        case let word?:
            guard let step = Int(word) else { return .none }
            _ = words.next()
            return .taken(step)
        case nil: throw mistake("who sends what?")
        }
    }

    private func content(
        _ words: inout Words, from sender: String
    ) throws -> ScriptLine.Content {
        guard let word = words.next() else { throw mistake("what is sent?") }
        if sender == "event" { return .event(word, try fields(words.rest)) }
        switch word {
        case "opens": return .opening(isBare: false)
        case "connects": return .opening(isBare: true)
        case "SYN": return .segment([.syn])
        case "SYNACK": return .segment([.syn, .ack])
        case "ACK": return .segment([.ack])
        case "FIN": return .segment([.fin, .ack])
        case "RST": return .segment([.rst, .ack])
        case "UNREACHABLE":
            let router = words.next()
            let address = router.flatMap(IPAddress.init)
            if router != nil, address == nil { throw mistake("a router is told by its address") }
            return .unreachable(address)
        case "again": return .again
        case "bytes":
            let digits = words.rest.split(separator: " ").map { UInt8($0, radix: 16) }
            guard digits.allSatisfy({ $0 != nil }) else { throw mistake("these are no bytes") }
            return .bytes(digits.compactMap(\.self), .whole)
        case "text": return .bytes(try unescaped(words.rest), .whole)
        default:
            guard let portion = ScriptLine.Portion(rawValue: word) else {
                return .message(word, try fields(words.rest), .whole)
            }
            guard let name = words.next() else { throw mistake("\(word) of what?") }
            if name == "text" { return .bytes(try unescaped(words.rest), portion) }
            return .message(name, try fields(words.rest), portion)
        }
    }

    /// Returns the bytes of a text with the escapes `\r`, `\n` and `\xff`.
    private func unescaped(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "r")?: bytes.append(13)
            case UInt8(ascii: "n")?: bytes.append(10)
            case UInt8(ascii: "x")?:
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard let byte = UInt8(digits, radix: 16) else {
                    throw mistake("no byte \(digits)")
                }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            default: throw mistake("only \\r, \\n and \\xff can be escaped")
            }
        }
        return bytes
    }

    private func fields(_ text: String) throws -> Value {
        guard !text.isEmpty else { return [:] }
        let flat: Value
        do {
            flat = try YAMLNode.parse(text: text, file: file).value
        } catch {
            throw mistake("\(text): \(error)")
        }
        return try (flat.objectValue ?? []).reduce(.object([])) { value, member in
            guard let path = FieldPath(member.name) else {
                throw mistake("\(member.name) is no path")
            }
            return value.setting(path, to: member.value)
        }
    }
}

/// The words of a line.
private struct Words {
    private var text: Substring

    init(_ text: Substring) {
        self.text = text.drop { $0 == " " }
    }

    var first: String? {
        let word = text.prefix { $0 != " " }
        return word.isEmpty ? nil : String(word)
    }

    /// The remaining words, without blanks around them.
    var rest: String { String(text.reversed().drop { $0 == " " }.reversed()) }

    mutating func next() -> String? {
        guard let word = first else { return nil }
        text = text.dropFirst(word.count).drop { $0 == " " }
        return word
    }
}
