import Glibc
import Results

/// Steps in a few words.
enum StepText {
    /// Returns the step without its conditions: `hu.close`, `wait: 500ms`.
    static func title(_ step: StepResult) -> String {
        guard let act = step.act, act.kind == .perform, let from = act.from else {
            return String(step.text.prefix { $0 != "{" }).trimmed
        }
        return "\(from).\(act.name)"
    }

    /// Returns the conditions of the step on its message, without the braces around them.
    static func conditions(_ step: StepResult) -> String {
        guard let brace = step.text.firstIndex(of: "{"), step.text.hasSuffix("}") else { return "" }
        let text = step.text[brace...]
        // Two objects, such as of content and of addresses, keep their braces.
        return text.contains("} {") ? String(text) : String(text.dropFirst().dropLast())
    }
}

/// Messages in a few words.
enum MessageSummary {
    /// Returns the most important fields: those that the step names, then parameters.
    static func text(_ message: EvidenceMessage, _ step: StepResult?) -> String {
        let named = message.fields.filter { step?.text.holds("\($0.name): ") ?? false }
        let others = message.fields.filter {
            $0.name.hasPrefix("params.") && !named.contains($0)
        }
        return (named + others.prefix(4)).map { "\(last($0.name)): \($0.value)" }
            .joined(separator: ", ")
    }

    private static func last(_ path: String) -> Substring {
        path.hasPrefix("params.") ? path.dropFirst("params.".count) : path[...]
    }
}

/// Frame numbers in a few words.
enum FramesText {
    /// Returns `frame 10` or `frames 9–13, 16`; empty for an event.
    static func short(_ frames: [Int]) -> String {
        guard !frames.isEmpty else { return "" }
        return (frames.count == 1 ? "frame " : "frames ") + ranges(frames)
    }

    /// Returns the time of a message as Wireshark shows it, and its frames: `0.034 s, frame 10`.
    static func short(_ message: EvidenceMessage, since start: Double?) -> String {
        guard let start, !message.frames.isEmpty else { return short(message.frames) }
        return "\(NumberText.length(max(0, message.seconds - start))), \(short(message.frames))"
    }

    /// Returns the same for a message of the given evidence.
    static func short(_ message: EvidenceMessage, in evidence: Evidence) -> String {
        short(message, since: evidence.captureStartSeconds)
    }

    /// Returns the numbers as ranges: `9–13, 16`.
    static func ranges(_ frames: [Int], dash: String = "–", separator: String = ", ") -> String {
        var ranges: [ClosedRange<Int>] = []
        for frame in frames.sorted() {
            if let last = ranges.last, frame <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(frame, last.upperBound)
            } else {
                ranges.append(frame...frame)
            }
        }
        return ranges.map { range in
            range.count == 1
                ? "\(range.lowerBound)" : "\(range.lowerBound)\(dash)\(range.upperBound)"
        }.joined(separator: separator)
    }

    /// Returns a display filter for Wireshark: `frame.number in {9..13, 16}`.
    static func filter(_ frames: [Int]) -> String {
        "frame.number in {\(ranges(frames, dash: "..", separator: ", "))}"
    }
}

extension String {
    /// Returns whether it contains the bytes of `part`.
    ///
    /// `contains` compares characters and takes ten times as long.
    func holds(_ part: String) -> Bool { strstr(self, part) != nil }

    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
