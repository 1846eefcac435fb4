import Glibc
import PeerKit
import SuiteLanguage
import System
import Trace
import Wire

extension PeerHost {
    /// Saves the certificates for devices, if peers use TLS: the one to trust, and one to show.
    ///
    /// Devices may run as another user, who must be able to read them.
    ///
    /// - Parameter folder: The folder for the files of the case, which is removed after it.
    func saveCertificates(in folder: String) throws {
        guard let security else { return }
        for (name, pem) in [("ca", security.authority), ("identity", security.identity)] {
            let place = try HeldFile("\(folder)/\(name).pem")
            let file = try place.create(mode: 0o644)
            defer { Glibc.close(file) }
            try HeldFile.put(pem, into: file, named: place.path)
            certificateFiles[name] = place.path
        }
    }
}

extension PeerHost {
    /// Returns whether a peer is at an endpoint that has no keys itself.
    func isWithoutKeys(_ peers: [PeerDeclaration]) -> (Endpoint) -> Bool {
        let (parties, secured) = (parties, Set(peers.filter(\.usesTLS).map(\.name)))
        return { end in
            parties.peer(at: end, byDatagrams: false).map { !secured.contains($0) } ?? false
        }
    }
}

extension LiveCase {
    /// The longest time from the capture of a packet until its bytes can be read from the socket.
    ///
    /// The kernel does both in one step, on the processor that receives the packet.
    private static let deliveryTime = Duration.microseconds(200)

    /// Records the keys that peers and devices have by the bytes of a packet, before it is decoded.
    ///
    /// Up to TLS 1.2 a client encrypts in the packet that determines the keys.
    ///
    /// - Parameter time: When the packet was captured, in nanoseconds since 1970.
    func recordKeys(before time: Int64) {
        var keys = deviceKeys?.take() ?? []
        if peerHost.security != nil {
            let rest = Timestamp(nanoseconds: time) + Self.deliveryTime - WallClock.now
            keys += peerHost.takeKeys(patience: max(.zero, min(rest, Self.deliveryTime)))
        }
        guard !keys.isEmpty else { return }
        secrets.add(keyLog: keys)
        partial.write(keyLog: keys)
    }
}
