import Glibc
import System
import Wire

/// Starts other apps alongside a running one, as processes of the same program.
final class AppLauncher {
    /// The descriptor from which the new process reads its configuration.
    private static let descriptor: Int32 = 3

    private let arguments: [String]
    private var processes: [pid_t] = []

    /// Creates a launcher of apps that connect to the same address and make the same mistake.
    init(address: NumericAddress, mutant: SDLAppMutant?) {
        arguments =
            [
                "conform-device", DeviceKind.sdlApp.rawValue, "--host", address.text, "--port",
                String(address.port), "--config", "/dev/fd/\(AppLauncher.descriptor)",
            ] + (mutant.map { ["--mutant", $0.name] } ?? [])
    }

    /// Starts an app that a document configures; it writes to the same log.
    func start(_ document: Value) throws(SystemError) {
        let reading = try AppLauncher.pipe(holding: Array(document.jsonText().utf8))
        defer { Glibc.close(reading) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, reading, AppLauncher.descriptor)
        var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for text in texts { free(text) } }
        texts.append(nil)
        var process = pid_t()
        let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, texts, environ)
        guard code == 0 else { throw SystemError("posix_spawn", code: code) }
        processes.append(process)
    }

    /// Sends SIGTERM to all apps that were started.
    func stop() {
        for process in processes { kill(process, SIGTERM) }
        processes = []
    }

    /// Returns the reading end of a pipe that holds the given bytes; throws if they do not fit.
    private static func pipe(holding bytes: [UInt8]) throws(SystemError) -> Int32 {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw SystemError("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let count = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        let error = SystemError("write", code: count < 0 ? errno : EMSGSIZE)
        Glibc.close(ends[1])
        guard count == bytes.count else {
            Glibc.close(ends[0])
            throw error
        }
        return ends[0]
    }
}
