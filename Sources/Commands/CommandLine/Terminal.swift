import Glibc
import Reports

/// What the standard output is connected to.
enum Terminal {
    /// Colour only on a terminal, and never with `NO_COLOR`; as wide as the terminal.
    static var style: Style {
        Style(isTerminal: isTerminal, noColor: variable("NO_COLOR"), columns: columns)
    }

    /// Whether a line may be redrawn in place: on a terminal that can, and not in a CI job, whose
    /// log would keep every state of it.
    static var isLive: Bool {
        isTerminal && variable("TERM") != "dumb" && (variable("CI") ?? "").isEmpty
    }

    /// The terminal's width in cells at this moment, or what `COLUMNS` says; `nil` if unknown.
    static var columns: Int? {
        var size = winsize()
        if isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether it is a terminal at all.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The value of an environment variable.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
