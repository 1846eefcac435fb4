import Files
import Glibc
import PeerKit
import Trace
import Wire

extension PeerHost {
    /// Saves the certificates that devices are to trust, if peers use TLS.
    ///
    /// - Parameter folder: The folder for the files of the case.
    func saveAuthority(in folder: String) throws {
        guard let security else { return }
        let place = try HeldFile(folder + "/ca.pem")
        let file = try place.create(mode: 0o644)
        defer { Glibc.close(file) }
        try HeldFile.put(security.authority, into: file, named: place.path)
        authorityFile = place.path
    }
}

extension LiveCase {
    /// The longest time from the capture of a packet until its bytes can be read from the socket.
    ///
    /// The kernel does both in one step, on the processor that receives the packet.
    private static let deliveryTime = Duration.microseconds(200)

    /// Records the keys that the peers have by the bytes of a packet, before it is decoded.
    ///
    /// Up to TLS 1.2 a client encrypts in the packet that determines the keys.
    ///
    /// - Parameter time: When the packet was captured, in nanoseconds since 1970.
    func recordKeys(before time: Int64) {
        guard peerHost.security != nil else { return }
        let rest = Timestamp(nanoseconds: time) + Self.deliveryTime - WallClock.now
        let keys = peerHost.takeKeys(patience: max(.zero, min(rest, Self.deliveryTime)))
        guard !keys.isEmpty else { return }
        secrets.add(keyLog: keys)
        partial.write(keyLog: keys)
    }
}
