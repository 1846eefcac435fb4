import Results

/// The display of a verdict: a sign and a word, so that colour is never the only difference.
enum HTMLVerdict {
    /// The words by which cases can be filtered, the most severe first.
    static let words = [
        "fail", "error", "inconclusive", "flaky", "known", "pass", "skipped", "not-run",
    ]

    /// Returns the class of a case's verdict, one of `words`.
    static func word(_ result: CaseResult) -> String {
        switch result.verdict {
        case .none: "not-run"
        case .skipped where result.reason?.code == .notRun: "not-run"
        case let verdict: verdict.rawValue
        }
    }

    /// Returns the sign of a verdict.
    static func sign(_ word: String) -> String {
        switch word {
        case "pass": "✓"
        case "fail": "✗"
        case "error": "!"
        case "inconclusive": "?"
        case "flaky": "≈"
        case "known": "k"
        case "skipped": "–"
        default: "·"
        }
    }

    /// Returns the word in the verdict's colour; the style sheet adds the sign before it.
    static func badge(_ word: String) -> String {
        "<b class=\"badge \(word)\">\(spoken(word))</b>"
    }

    /// Returns the word for people.
    static func spoken(_ word: String) -> String {
        switch word {
        case "not-run": "not run"
        case "none": "not judged"
        case let word: word
        }
    }
}

/// The party at fault for a case that did not pass, as far as the verdict shows it.
enum Responsibility: Int, CaseIterable {
    case device, harness, setup, capture, nobody

    /// Creates the party at fault; `nil` for a pass and for a case that does not apply.
    init?(_ result: CaseResult) {
        switch (result.verdict, result.reason?.code) {
        case (.fail, _), (.known, _), (.flaky, _): self = .device
        case (.error, _): self = .setup
        case (.inconclusive, .lateHarness): self = .harness
        case (.inconclusive, .captureLoss), (.inconclusive, .captureEnd): self = .capture
        case (.inconclusive, .setup), (.inconclusive, .timeout): self = .setup
        case (.inconclusive, _): self = .nobody
        case (.none, _), (.pass, _), (.skipped, _): return nil
        }
    }

    /// The party, in words.
    var word: String {
        switch self {
        case .device: "the device"
        case .harness: "the harness"
        case .setup: "the setup"
        case .capture: "the capture"
        case .nobody: "not known"
        }
    }

    /// The meaning, as a sentence.
    var sentence: String {
        switch self {
        case .device: "The device violated a requirement that the case checks."
        case .harness: "conform or its machine was late, so the device is not judged."
        case .setup:
            "The suite, the launch of the device or the machine failed, so the device is not judged."
        case .capture: "The capture is incomplete, so the device is not judged."
        case .nobody: "The case did not reach the point where it judges the device."
        }
    }
}
