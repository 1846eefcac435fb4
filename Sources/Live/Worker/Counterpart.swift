import Devices
import Files
import Peers
import Suites
import Wire

/// The program of a peer: a real counterpart, or an adapter.
///
/// Its end is the harness's error.
final class Counterpart {
    private let process: DeviceProcess
    private let name: String
    /// Whether it is ready.
    var isReady: Bool { process.isReady }
    /// Why the case cannot go on, once that is so.
    private(set) var fault: WorkerError?
    /// What it has printed on its standard output and nobody has taken.
    private var lines: [String] = []

    /// Launches the program of a peer.
    ///
    /// - Parameters:
    ///   - declaration: The peer, with the setting `launch`.
    ///   - profile: The device's, for what keeps it from the files of others.
    ///   - variables: Values of `${host}` and `${port}`.
    ///   - readiness: How it shows that it is ready.
    ///   - home: An empty folder of its own.
    ///   - log: Where its output goes.
    init(
        _ declaration: PeerDeclaration, like profile: DeviceProfile,
        variables: [String: String], readiness: DeviceProfile.Readiness, home: String,
        log: HeldFile
    ) throws(DeviceError) {
        name = declaration.name
        let arguments = declaration.settings["launch"]?.arrayValue?.compactMap(\.stringValue) ?? []
        var own = DeviceProfile(
            name: "the program of peer \(declaration.name)", role: declaration.kind.name,
            access: .launch(arguments), workingDirectory: Self.folder(of: declaration),
            readiness: readiness, limits: profile.limits)
        own.confinement = profile.confinement
        own.files.read = [Self.folder(of: declaration)]
        own.environment = (declaration.settings["env"]?.objectValue ?? []).reduce(into: [:]) {
            $0[$1.name] = $1.value.stringValue ?? $1.value.jsonText()
        }
        process = try DeviceProcess(
            profile: own, variables: variables, configuration: .object([]), home: home, log: log)
    }

    /// The folder of the file that declares the peer.
    private static func folder(of declaration: PeerDeclaration) -> String {
        let parts = declaration.position.file.split(
            separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        return folder.isEmpty ? (parts.count > 1 ? "/" : ".") : folder
    }

    /// What to poll for input.
    var pollDescriptors: [Int32] { process.pollDescriptors }
    /// Time until `advance` has something to do.
    var nextDeadline: Duration? { process.nextDeadline }

    /// Serves one descriptor that is ready; one that is not its own is ignored.
    func handle(_ descriptor: Int32) {
        guard process.pollDescriptors.contains(descriptor) else { return }
        take(process.handle(descriptor))
    }

    /// Does what is due by now.
    func advance() { take(process.advance()) }

    /// What it has printed since this was asked last.
    func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// Writes a line to its standard input.
    func write(_ line: String) {
        do throws(DeviceError) {
            try process.write(line: line)
        } catch {
            fail("does not read its standard input: \(error)")
        }
    }

    /// Says why the case cannot go on.
    func fail(_ what: String) {
        let last = process.lastLines.last.map { " (it printed: \($0))" } ?? ""
        fault = fault ?? WorkerError(detail: "peer \(name): its program \(what)\(last)")
    }

    /// Begins to end it.
    func stop() { process.stop() }
    /// Whether nothing of it is left.
    var isStopped: Bool { process.isStopped }

    private func take(_ notices: [DeviceNotice]) {
        for notice in notices {
            switch notice {
            case .output(.stdout, let line): lines.append(line)
            case .exited(let exit): fail("ended: \(exit)")
            case .notReady(let error): fault = fault ?? WorkerError(detail: error.description)
            default: break
            }
        }
    }
}
