import Results

/// How pages show a verdict: a sign and a word, so that colour is never the only difference.
enum HTMLVerdict {
    /// The words after which cases can be filtered, worst first.
    static let words = [
        "fail", "error", "inconclusive", "flaky", "known", "pass", "skipped", "not-run",
    ]

    /// The class of a case's verdict, one of `words`.
    static func word(_ result: CaseResult) -> String {
        switch result.verdict {
        case .none: "not-run"
        case .skipped where result.reason?.code == .notRun: "not-run"
        case let verdict: verdict.rawValue
        }
    }

    /// One sign for each verdict.
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

    /// The word in the verdict's colour; the style sheet sets the sign before it.
    static func badge(_ word: String) -> String {
        "<b class=\"badge \(word)\">\(spoken(word))</b>"
    }

    /// The word as people say it.
    static func spoken(_ word: String) -> String {
        switch word {
        case "not-run": "not run"
        case "none": "not judged"
        case let word: word
        }
    }
}

/// Whose fault it is that a case is not a pass, as far as the verdict shows it.
enum Responsibility: Int, CaseIterable {
    case device, harness, setup, capture, nobody

    /// Whose fault a case is; `nil` for a pass and for what does not apply.
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

    /// Who it is.
    var word: String {
        switch self {
        case .device: "the device"
        case .harness: "the harness"
        case .setup: "the setup"
        case .capture: "the capture"
        case .nobody: "not shown"
        }
    }

    /// What that means, as a sentence.
    var sentence: String {
        switch self {
        case .device: "The device broke a requirement that the case judges."
        case .harness: "conform was late or its machine was; the device is not judged by that."
        case .setup:
            "The suite, the device's launch or the machine broke; the device is not judged."
        case .capture: "The capture is not whole; the device is not judged by that."
        case .nobody: "The case did not come to the point where it judges the device."
        }
    }
}
