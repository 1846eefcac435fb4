import SuiteLanguage
import Trace
import Wire

/// Who is who in a part of a trace.
extension TraceParts {
    func parties(of group: TraceGroup, forCase index: Int) -> Parties {
        var own = Parties(peers: [:])
        if let device = group.device {
            own = parties[index]
            own.devices = [device: Step.device]
        } else if let peer = cases[index].testCase.peers.first {
            let calls = peer.kind.callsDevice
            if let end = calls ? group.caller : group.callee { own.peers[end] = peer.name }
            own.devices = options.roles.devices
        }
        return own
    }

    /// Returns the caller and the callee, by the first captured message of a connection.
    func ends(of first: TraceMessage) -> (caller: Endpoint?, callee: Endpoint?) {
        let kinds = cases.flatMap(\.testCase.peers)
        let ports = Set(
            kinds.map { peer in
                peer.settings["port"]?.integerValue ?? Int64(peer.kind.defaultPort)
            })
        let stated = Set(options.roles.peers.values)
        func isCalled(_ end: Endpoint?) -> Bool {
            guard let end else { return false }
            return stated.contains(end) || stated.contains(end.party)
                || ports.contains(Int64(end.port))
        }
        let isAnswer =
            first.name != "tcp.SYN"
            && (first.name == "tcp.SYNACK"
                || isCalled(first.source) && !isCalled(first.destination))
        return isAnswer
            ? (first.destination, first.source) : (first.source, first.destination)
    }

    /// Whether a message is from or to the port of a peer, where devices are judged separately.
    ///
    /// A peer of which only the host is known may talk to others, too.
    func isAtPort(_ message: TraceMessage) -> Bool {
        options.grouping == .device && parties.contains { $0.havePort(of: message) }
    }

    func device(of message: TraceMessage) -> Endpoint? {
        guard let source = message.source, let destination = message.destination else {
            return nil
        }
        for parties in parties {
            guard parties.concern(message) else { continue }
            return parties.isFromPeer(message) ? destination.party : source.party
        }
        return nil
    }
}

extension TestCase {
    /// Whether a connection of one of its peers may carry several sessions.
    var mayHaveSessions: Bool {
        peers.contains { peer in
            let family = known.protocols.family(ofMessage: peer.shownProtocol + ".")
            return peer.air != nil || family?.session != nil
        }
    }
}
