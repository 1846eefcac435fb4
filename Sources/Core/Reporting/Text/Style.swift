import Results

/// The layout of text for people; decided once by the code that knows the terminal.
public struct Style: Sendable, Hashable {
    /// Whether colours are used.
    public var colour: Bool
    /// The width of a line in cells, at least 60.
    public var width: Int

    /// Creates a style.
    public init(colour: Bool = false, width: Int = 100) {
        self.colour = colour
        self.width = max(60, width)
    }

    /// Creates a style for the environment: colour only on a terminal and never with `NO_COLOR`.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the output goes to a terminal.
    ///   - noColor: The environment variable `NO_COLOR`; any non-empty text disables colour.
    ///   - columns: The width of the terminal; `nil` if it is not known.
    public init(isTerminal: Bool, noColor: String?, columns: Int? = nil) {
        self.init(
            colour: isTerminal && (noColor ?? "").isEmpty, width: isTerminal ? columns ?? 100 : 100)
    }

    /// No colour, 100 columns.
    public static let plain = Style()

    package enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case bold = "1"
        case faint = "2"
    }

    package func paint(_ text: String, _ ink: Colour) -> String {
        colour && !text.isEmpty ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension Verdict {
    /// Returns the word that reports use, including `not run`.
    func word(_ code: ReasonCode?) -> String {
        switch self {
        case .none: "no verdict"
        case .skipped where code == .notRun: "not run"
        default: rawValue
        }
    }

    var ink: Style.Colour {
        switch self {
        case .pass: .green
        case .fail, .error: .red
        case .inconclusive, .known, .flaky: .yellow
        case .none, .skipped: .blue
        }
    }

    /// Whether the case needs attention.
    var isAlarming: Bool {
        switch self {
        case .fail, .error, .inconclusive, .none, .flaky: true
        case .pass, .skipped, .known: false
        }
    }
}
