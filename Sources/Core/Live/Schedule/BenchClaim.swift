import Capture
import Devices
import Glibc
import SuiteLanguage

/// The claim of one run on its attached devices.
///
/// Two runs at the same device would take each other's packets for their own. The claim is an
/// abstract socket name in this network; it ends with the process.
final class BenchClaim {
    private var sockets: [Int32] = []

    /// Claims the attached devices of a run; `nil` if all are launched.
    ///
    /// - Throws: `InvalidInput` if a device cannot be reached or captured in this run, or if
    ///   another run has claimed it.
    convenience init?(
        _ profiles: some Sequence<DeviceProfile>, _ network: IsolationRequest
    ) throws(InvalidInput) {
        let attached = profiles.filter { $0.attachment != nil }
        guard !attached.isEmpty else { return nil }
        self.init()
        for profile in attached {
            guard let attachment = profile.attachment else { continue }
            guard network == .host else {
                throw Self.refusal(
                    "attached-device",
                    "\(profile.name) is attached, and a network of its own for each case does not "
                        + "reach it", advice: "add --network host")
            }
            for source in profile.capture ?? [.init(origin: .interface(attachment.interface))] {
                if case .interface(let name) = source.origin { try Self.tryCapture(on: name) }
            }
            try claim(attachment.address)
        }
    }

    private init() {}

    deinit { sockets.forEach { close($0) } }

    private static func tryCapture(on interface: String) throws(InvalidInput) {
        do throws(CaptureError) {
            _ = try LiveCapture(interface: interface, filter: nil)
        } catch {
            throw refusal(
                "cannot-capture", "\(interface) cannot be captured: \(error.detail)",
                advice: error.code == .permission
                    ? "\(Diagnosis.captureGrant); conform doctor says what else is missing"
                    : "see ip link for the names of interfaces")
        }
    }

    private func claim(_ address: String) throws(InvalidInput) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        sockets.append(descriptor)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let text = Array("conform-device-\(address)".utf8)
        // A name that begins with 0 is not in any file system (unix(7)).
        withUnsafeMutableBytes(of: &name.sun_path) { path in
            path[1..<(1 + text.count)].copyBytes(from: text)
        }
        let length = MemoryLayout<sa_family_t>.size + 1 + text.count
        let bound = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(length))
            }
        }
        guard bound != 0, errno == EADDRINUSE else { return }
        throw Self.refusal(
            "device-busy", "another run is using the device at \(address)",
            advice: "wait for its end; cases of one device run one after the other")
    }

    private static func refusal(_ code: String, _ what: String, advice: String) -> InvalidInput {
        InvalidInput([Diagnostic(code, what, at: nil, advice: advice)])
    }
}
