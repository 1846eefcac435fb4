import Glibc

/// The user's program for displaying pages.
enum Browser {
    /// Opens a file by its absolute path; returns the name of the program.
    static func open(_ path: String) throws(UsageError) -> String {
        let address = "file://" + escaped(path)
        for opener in openers where started([opener, address]) { return opener }
        throw UsageError(
            "no program that opens pages was found "
                + "(\(openers.joined(separator: ", "))); open it yourself: \(address)")
    }

    /// The programs that may open a page, starting with the user's own choice.
    private static var openers: [String] {
        let own = Terminal.variable("BROWSER").map { $0.split(separator: ":").map(String.init) }
        return (own ?? []) + ["xdg-open", "sensible-browser"]
    }

    /// Returns a path as it is written in an address.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (scalar.properties.isAlphabetic || "0123456789/-._~".utf8.contains(byte))
            text += isPlain ? String(scalar) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }
    }

    /// Starts a program of the search path and lets it run.
    ///
    /// Returns `false` if it cannot be started, or ends with an error at once.
    private static func started(_ words: [String]) -> Bool {
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, words[0], nil, nil, &argv, environ) == 0 else { return false }
        return outlasts(process, seconds: 1)
    }

    /// Returns whether a child runs for the given time, or ends without an error before.
    private static func outlasts(_ process: pid_t, seconds: Int) -> Bool {
        var ended = sigset_t()
        var before = sigset_t()
        sigemptyset(&ended)
        sigaddset(&ended, SIGCHLD)
        // The wait below notices a child that ends from here on; one that has ended already is seen
        // at once.
        pthread_sigmask(SIG_BLOCK, &ended, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var status: Int32 = 0
        if waitpid(process, &status, WNOHANG) == process { return status == 0 }
        var limit = timespec(tv_sec: seconds, tv_nsec: 0)
        sigtimedwait(&ended, nil, &limit)
        return waitpid(process, &status, WNOHANG) != process || status == 0
    }
}
