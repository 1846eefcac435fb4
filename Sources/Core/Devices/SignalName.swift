import Glibc

/// Names of signals, with the prefix `SIG` as in `signal(7)`.
package enum SignalName {
    /// Every signal that a profile may name, in numerical order.
    static let all: [(name: String, number: Int32)] = [
        ("SIGHUP", SIGHUP), ("SIGINT", SIGINT), ("SIGQUIT", SIGQUIT), ("SIGILL", SIGILL),
        ("SIGTRAP", SIGTRAP), ("SIGABRT", SIGABRT), ("SIGBUS", SIGBUS), ("SIGFPE", SIGFPE),
        ("SIGKILL", SIGKILL), ("SIGUSR1", SIGUSR1), ("SIGSEGV", SIGSEGV), ("SIGUSR2", SIGUSR2),
        ("SIGPIPE", SIGPIPE), ("SIGALRM", SIGALRM), ("SIGTERM", SIGTERM), ("SIGCHLD", SIGCHLD),
        ("SIGCONT", SIGCONT), ("SIGSTOP", SIGSTOP), ("SIGTSTP", SIGTSTP), ("SIGTTIN", SIGTTIN),
        ("SIGTTOU", SIGTTOU), ("SIGURG", SIGURG), ("SIGXCPU", SIGXCPU), ("SIGXFSZ", SIGXFSZ),
        ("SIGVTALRM", SIGVTALRM), ("SIGPROF", SIGPROF), ("SIGWINCH", SIGWINCH), ("SIGIO", SIGIO),
        ("SIGPWR", SIGPWR), ("SIGSYS", SIGSYS),
    ]

    /// Returns the number for a name with or without `SIG`.
    static func number(of name: String) -> Int32? {
        all.first { $0.name == name || $0.name == "SIG" + name }?.number
    }

    /// Returns the name for a number.
    package static func name(of number: Int32) -> String? {
        all.first { $0.number == number }?.name
    }
}
