import Glibc
import Reports

/// What the standard output is connected to.
enum Terminal {
    /// Colour only on a terminal, and never with `NO_COLOR`.
    static var style: ConsoleReport.Style {
        isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil ? .coloured : .plain
    }
}
