import Offline
import PeerKit
import Trace

extension PeerHost {
    /// What the sockets of all peers have sent.
    var sent: PeerTraffic {
        var traffic = PeerTraffic()
        for sent in hostedPeers.flatMap(\.meetingPoints).map(\.port.sent) {
            for stream in sent.streams {
                traffic.add(
                    stream: stream.marks,
                    between: .init(own: Endpoint(stream.own), other: Endpoint(stream.other)))
            }
            for (ends, datagrams) in sent.datagrams {
                traffic.add(
                    datagrams: datagrams.map { .init(digest: $0.digest, time: $0.time) },
                    between: .init(own: Endpoint(ends.own), other: Endpoint(ends.other)))
            }
        }
        return traffic
    }
}

extension Endpoint {
    fileprivate init(_ end: PeerConnection) {
        self.init(address: end.address, port: end.port)
    }
}
