import Glibc
import Reporting

/// Properties of the standard output.
enum Terminal {
    /// Colours only on a terminal, and never with `NO_COLOR`; as wide as the terminal.
    static var style: Style {
        Style(isTerminal: isTerminal, noColor: variable("NO_COLOR"), columns: columns)
    }

    /// Whether a line may be redrawn in place.
    ///
    /// It may on a terminal that supports it, but not in a CI job, whose log would keep every state
    /// of it.
    static var isLive: Bool {
        isTerminal && variable("TERM") != "dumb" && (variable("CI") ?? "").isEmpty
    }

    /// The terminal's current width in cells, or the value of `COLUMNS`; `nil` if unknown.
    static var columns: Int? {
        var size = winsize()
        if isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether it is a terminal at all.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Returns the value of an environment variable.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
