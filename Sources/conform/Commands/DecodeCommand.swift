import Capture
import Glibc
import Protocols
import Reports
import Runner
import Suites
import Trace

extension Command {
    /// `conform decode`: every message of a capture.
    static let decode = Command(
        name: "decode", operands: "CAPTURE ...",
        summary: "Prints every message of captures with name, time, direction, frames and fields.",
        options: [format, message]
    ) { arguments in
        guard !arguments.operands.isEmpty else {
            throw UsageError("no capture is named; give at least one")
        }
        let word = arguments.value(format.name) ?? "text"
        guard let format = TraceListing.Format(rawValue: word) else {
            throw UsageError("\(format.name) takes text or json, not \"\(word)\"")
        }
        if let pattern = arguments.value(message.name) { try check(pattern) }
        var status: Int32 = 0
        for path in arguments.operands {
            let damage = try print(path, format, only: arguments.value(message.name))
            if let damage {
                StandardError.print(damage.message)
                status = ExitStatus.couldNotJudge.rawValue
            }
        }
        return status
    }

    private static let format = Option(
        "--format", "text|json", "lines for people (default), or JSON Lines")
    private static let message = Option(
        "--message", "PATTERN", "only messages whose name matches (* any characters, ? one)")

    /// Refuses a pattern that no message can match.
    private static func check(_ pattern: String) throws(UsageError) {
        let names = ProtocolCatalogue.messageNames
        guard !names.contains(where: CasePattern(pattern).matches) else { return }
        let advice = Suggestion.advice(for: pattern, in: names)
        throw UsageError(
            "there is no message \(pattern)"
                + (advice.isEmpty ? "; conform decode without it tells the names" : "; \(advice)"))
    }

    /// Prints one capture; returns what is wrong with the file, if anything is.
    private static func print(
        _ path: String, _ format: TraceListing.Format, only pattern: String?
    ) throws -> CaptureError? {
        let pattern = pattern.map(CasePattern.init)
        var listing = TraceListing(format: format)
        var engine = TraceEngine()
        var file = try CaptureFile(path: path)
        var messages: [TraceMessage] = []
        func printMessages() {
            for message in messages where pattern?.matches(message.name) ?? true {
                Swift.print(listing.line(for: message))
            }
            messages.removeAll(keepingCapacity: true)
        }
        var damage: CaptureError?
        do throws(CaptureError) {
            while let packet = try file.next() {
                engine.consume(packet, into: &messages)
                printMessages()
            }
        } catch {
            damage = error
        }
        engine.finish(at: nil, into: &messages)
        printMessages()
        listing.summary(of: engine.statistics, path: path).forEach { Swift.print($0) }
        return damage
    }
}
