import Glibc
import Reports

/// What the standard output is connected to.
enum Terminal {
    /// Colour only on a terminal, and never with `NO_COLOR`; as wide as the terminal.
    static var style: Style {
        var size = winsize()
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let hasSize = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        return Style(
            isTerminal: isTerminal, noColor: getenv("NO_COLOR").map { String(cString: $0) },
            columns: hasSize && size.ws_col > 0 ? Int(size.ws_col) : nil)
    }
}
