import Glibc

/// The signals that ask the process to end.
public enum EndSignals {
    /// Makes these signals interrupt only the waits of loops; call it once, before any loop runs.
    public static func interruptWaitsOnly() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT] {
            sigaddset(&signals, number)
            signal(number) { _ in }
        }
        sigprocmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }
}
