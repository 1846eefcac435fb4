import Capture
import HTTP
import Judge
import SuiteLanguage
import Trace
import Wire

extension TraceOptions {
    /// Cuts the streams of peers as their suite says; HTTP streams need no recognition.
    ///
    /// - Parameters:
    ///   - peers: The peers.
    ///   - parties: Where they are; the port 0 means any.
    ///   - scale: How much faster than its specification the device runs.
    package mutating func cutStreams(
        of peers: [PeerDeclaration], at parties: Parties, scale: TimeScale = .real
    ) {
        for (place, name) in Array(parties.peers) + Array(parties.datagramPeers) {
            guard let peer = peers.first(where: { $0.name == name }) else { continue }
            if let named = peer.named, peer.isDatagram { datagramsByEndpoint[place] = named }
            if let cutting = peer.stream {
                protocolsByEndpoint[place] = inside(
                    peer, cutting.scaled(by: scale).streamProtocol)
            } else if peer.speaksHTTP {
                protocolsByEndpoint[place] = inside(peer, HTTP.streamProtocol)
            }
        }
    }

    /// Cuts the streams of peers in a capture of another tool.
    ///
    /// - Parameters:
    ///   - peers: The peers.
    ///   - roles: The roles of endpoints, as the user says them.
    /// - Throws: `CheckError` if it is not known which streams belong to a peer.
    mutating func cutStreams(
        of peers: [PeerDeclaration], as roles: CaptureRoles
    ) throws(CheckError) {
        for peer in peers {
            if peer.isDatagram, let named = peer.named {
                if let place = roles.peers[peer.name] { datagramsByEndpoint[place] = named }
                if let port = peer.settings["port"]?.integerValue.flatMap(UInt16.init(exactly:)) {
                    datagramsByPort[port] = named
                }
            }
            guard let known = peer.stream.map({ inside(peer, $0.streamProtocol) }) else {
                continue
            }
            if let place = roles.peers[peer.name] {
                protocolsByEndpoint[place] = known
                continue
            }
            let named = peer.settings["port"]?.integerValue.map { UInt16(clamping: $0) }
            let port = named ?? peer.kind.defaultPort
            guard port != 0 else {
                throw CheckError(
                    description:
                        "it is not clear which streams are those of the peer \(peer.name), so that they "
                        + "cannot be cut; give it a \"port\" in the suite, or pass --peer "
                        + "\(peer.name)=ADDRESS\(peer.kind.callsDevice ? "" : ":PORT")")
            }
            protocolsByPort[port] = known
        }
    }
}

extension TraceOptions {
    /// Returns the protocol of a peer's connections that carry a given protocol.
    private func inside(_ peer: PeerDeclaration, _ known: StreamProtocol) -> StreamProtocol {
        guard peer.usesTLS else { return known }
        return protocols.lazy.compactMap(\.carrying).first?(known, peer.beginsPlain) ?? known
    }

    /// Cuts the streams of a suite's peers in one capture.
    ///
    /// The metadata of a capture that `conform` made says where the peers are; in one of another
    /// tool, `peers` or the ports do.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - paths: The files of the capture; the metadata of several files is ignored.
    ///   - peers: Where peers are, as the user says it.
    /// - Throws: `CaptureError` if a file cannot be opened, `CheckError` if it is not known which
    ///   streams belong to a peer.
    public mutating func cutStreams(
        of suite: Suite, in paths: [String], peers: [String: Endpoint]
    ) throws {
        var metadata: CaseMetadata?
        if paths.count == 1, !paths.contains(where: CaptureFile.isStream) {
            let series = try CaptureSeries(joining: paths)
            try series.open()
            metadata = try? CaseMetadata(
                sectionComments: series.metadata?.section.comments ?? [])
        }
        if let metadata, peers.isEmpty {
            cutStreams(
                of: suite.cases.peers, at: metadata.parties,
                scale: metadata.timeScale ?? .real)
        } else {
            try cutStreams(of: suite.cases.peers, as: CaptureRoles(peers: peers))
        }
    }

    /// Decodes the protocols that suites describe, by port or recognised by their first bytes.
    public mutating func decode(_ described: [NamedProtocol]) {
        for one in described {
            if let known = one.stream?.streamProtocol {
                for port in one.streamPorts where protocolsByPort[port] == nil {
                    protocolsByPort[port] = known
                }
            }
            for port in one.datagramPorts where datagramsByPort[port] == nil {
                datagramsByPort[port] = one
            }
            if let known = one.recognised { protocols.append(known) }
        }
    }
}

extension PeerDeclaration {
    /// Whether its connections use HTTP.
    fileprivate var speaksHTTP: Bool { kind.protocolName == "http" }
}

extension [PreparedCase] {
    /// The protocols that their suites describe.
    var protocols: [NamedProtocol] { map(\.testCase).protocols }

    /// The peers of all of them.
    var peers: [PeerDeclaration] { map(\.testCase).peers }
}

extension [TestCase] {
    /// The protocols that their suites describe.
    public var protocols: [NamedProtocol] {
        var names: Set<String> = []
        return flatMap(\.known.own).filter { names.insert($0.name).inserted }
    }

    /// The peers of all of them.
    var peers: [PeerDeclaration] {
        var names: Set<String> = []
        return flatMap(\.peers).filter { names.insert($0.name).inserted }
    }
}

extension StreamCutting {
    /// Returns the cutting with the pause of a device that runs faster.
    fileprivate func scaled(by scale: TimeScale) -> StreamCutting {
        switch self {
        case .idle(let pause): .idle(scale.scaled(pause))
        case .described(let stream):
            .described(
                DescribedStream(
                    stream.description, cutBy: stream.cutting.map { $0.scaled(by: scale) },
                    prefix: stream.prefix))
        default: self
        }
    }
}
