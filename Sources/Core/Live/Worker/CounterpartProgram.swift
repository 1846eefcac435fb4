import Devices
import PeerKit
import SuiteLanguage
import System
import Wire

/// The program of a peer: a real counterpart, or an adapter.
///
/// If it ends, the case ends with an error of the harness.
final class CounterpartProgram {
    private let process: DeviceProcess
    private let name: String
    /// Whether the program is ready.
    var isReady: Bool { process.isReady }
    /// Why the case cannot continue; `nil` if it can.
    private(set) var fault: WorkerError?
    /// The lines of its standard output that have not been taken.
    private var lines: [String] = []

    /// Launches the program of a peer.
    ///
    /// - Parameters:
    ///   - declaration: The peer, with the setting `launch`.
    ///   - profile: The device's profile, for what keeps it away from the files of others.
    ///   - variables: Values of `${host}` and `${port}`.
    ///   - readiness: How the program shows that it is ready.
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

    /// The descriptors to poll for input.
    var pollDescriptors: [Int32] { process.pollDescriptors }
    /// Time until `advance` has something to do.
    var nextDeadline: Duration? { process.nextDeadline }

    /// Handles one descriptor that is ready; a descriptor that is not its own is ignored.
    func handle(_ descriptor: Int32) {
        guard process.pollDescriptors.contains(descriptor) else { return }
        consume(process.handle(descriptor))
    }

    /// Does what is due by now.
    func advance() { consume(process.advance()) }

    /// Returns the lines that it has printed since the last call.
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

    /// Records why the case cannot continue.
    func fail(_ what: String) {
        let last = process.lastLines.last.map { " (it printed: \($0))" } ?? ""
        fault = fault ?? WorkerError(detail: "peer \(name): its program \(what)\(last)")
    }

    /// Begins to end the program.
    func stop() { process.stop() }

    private func consume(_ notices: [DeviceNotice]) {
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
