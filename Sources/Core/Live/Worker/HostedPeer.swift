import Judge
import PeerKit
import SuiteLanguage
import TCPIP
import Trace
import Wire

/// A peer of a case with the places where it meets devices.
struct HostedPeer {
    var peer: any Peer
    /// What it answers otherwise than by itself.
    var answers: AnswerTable
    let kind: PeerKind
    let declaration: PeerDeclaration
    let meetingPoints: [MeetingPoint]
    /// The link to all devices.
    var line: LinkImpairment
    /// The latest time that the peer was given.
    var statedTime = Int64.min
    /// Where the program of a `process` listens.
    var program: Endpoint?
    /// The program that acts as the peer, once it is launched.
    var counterpart: CounterpartProgram?
    /// The messages passed to an adapter.
    var adapter: AdapterFeed?

    /// Whether a program acts as the peer.
    var runsProgram: Bool { declaration.runsProgram }

    /// When it acts by itself or answers next; `nil` if it only waits for devices.
    var nextDeadline: Int64? {
        [peer.nextDeadline, answers.nextDeadline].compactMap(\.self).min()
    }

    /// Gives the peer the time, and lets it answer what is due.
    mutating func advance(to time: Int64) throws(PeerError) -> [PeerCommand] {
        let commands = peer.advance(to: time)
        return commands + (try answers.advance(to: time, by: &peer))
    }

    /// Shows the peer a message; see `Peer.observe`.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) throws(PeerError) -> [PeerCommand] {
        try answers.observe(
            message, on: connection, sentByPeer: sentByPeer, withholdAnswer: withholdAnswer,
            by: &peer)
    }

    /// Lets the peer do what a step defines.
    mutating func perform(_ action: Demand.Action) throws(PeerError) -> [PeerCommand] {
        var arguments = action.arguments
        if action.name == "configure", let changed = arguments["answers"], kind.takesAnswers {
            try answers.change(to: changed)
            arguments = .object((arguments.objectValue ?? []).filter { $0.name != "answers" })
        }
        return try peer.perform(action.name, arguments: arguments, of: action.party)
    }

    /// Returns the connection of a message to or from the peer.
    func connection(of message: TraceMessage) -> PeerConnection? {
        guard let source = message.source, let destination = message.destination else {
            return nil
        }
        if let meetingPoint = meetingPoints.first(where: { $0.holds(source) }) {
            return meetingPoint.connection(between: source, and: destination)
        }
        let meetingPoint = meetingPoints.first { $0.holds(destination) }
        return meetingPoint?.connection(between: destination, and: source)
    }

    /// Creates the peers of a case, without those on the air, and starts those that listen.
    ///
    /// - Parameters:
    ///   - testCase: The case.
    ///   - network: The network on which peers and devices meet.
    ///   - factory: The factory of the peers.
    ///   - security: What protects the connections of peers that use TLS.
    ///   - line: The link of each peer, without impairment.
    static func all(
        of testCase: TestCase, on network: CaseNetwork, _ factory: PeerFactory,
        _ security: (any ChannelSecurity)?,
        line: LinkImpairment
    ) throws -> [HostedPeer] {
        let bluetoothPeers = testCase.peers.filter { $0.air != nil }
        try checkAir(of: bluetoothPeers, in: testCase, among: factory.kinds)
        var ports = DevicePorts(usesOwnPorts: network.usesOwnPorts)
        let callers = testCase.peers.filter(\.kind.callsDevice).map(\.name)
        let hasListeners = callers.count < testCase.peers.filter { $0.air == nil }.count
        let hostedPeers = try testCase.peers.enumerated().compactMap { number, declaration in
            guard declaration.air == nil else { return nil as HostedPeer? }
            let program =
                declaration.kind.program == .counterpart
                ? Endpoint(
                    address: .loopback, port: try PeerDialer.lowFreePort(of: .loopback)) : nil
            let meetingPoints = try testCase.deviceNames.enumerated().map { index, device in
                try meetingPoint(
                    of: declaration, for: device, at: index, on: network,
                    callingFrom: callers.firstIndex(of: declaration.name).map { caller in
                        try network.address(
                            ofPeer: number, caller: caller, ofDevice: index,
                            besideListeners: hasListeners)
                    },
                    program, &ports)
            }
            let peer = try factory.make(
                declaration.withoutHosting,
                with: bluetoothPeers.filter { $0.air == declaration.name })
            if let security, let tls = declaration.settings["tls"] {
                for meetingPoint in meetingPoints {
                    meetingPoint.port.channels = try security.channels(
                        tls, isServer: !declaration.kind.callsDevice)
                }
            }
            if peer.servesLink {
                for meetingPoint in meetingPoints { meetingPoint.port.keepsReceived = true }
            }
            let known = testCase.known
            let answers = try AnswerTable(declaration.settings["answers"] ?? .null) {
                known.message(named: $0)?.response
            }
            return HostedPeer(
                peer: peer, answers: answers, kind: declaration.kind, declaration: declaration,
                meetingPoints: meetingPoints,
                line: line, program: program)
        }
        try checkPorts(of: hostedPeers)
        return hostedPeers
    }

    /// Returns the place where a peer meets a device: it connects to it there, or listens.
    private static func meetingPoint(
        of declaration: PeerDeclaration, for device: String, at index: Int,
        on network: CaseNetwork, callingFrom own: IPAddress?, _ program: Endpoint?,
        _ ports: inout DevicePorts
    ) throws -> MeetingPoint {
        let named = declaration.settings["port"]?.integerValue.map { UInt16(clamping: $0) }
        let kind = declaration.kind
        let port = named ?? kind.defaultPort
        let address = network.address(ofDevice: index)
        let isDatagram = declaration.isDatagram
        if let own {
            let home = network.home(ofDevice: index)
            let callee = Endpoint(address: home, port: try ports.port(port, at: home))
            return .caller(of: device, from: own, calling: callee, byDatagrams: isDatagram)
        }
        if isDatagram {
            let meetingPoint = try MeetingPoint.datagrams(
                for: device, at: address, port: ports.usesOwnPorts ? port : 0,
                shared: network.shared,
                group: declaration.settings["group"]?.stringValue.flatMap { IPAddress($0) })
            if declaration.settings["listens"] == .bool(false) {
                _ = try meetingPoint.port.perform(.stopListening)
            }
            return meetingPoint
        }
        let own = ports.usesOwnPorts ? port : 0
        if let program {
            let relay = try RelayPort(
                address: address, port: own,
                to: PeerConnection(address: program.address, port: program.port))
            if declaration.settings["listens"] == .bool(false) {
                _ = try relay.perform(.stopListening)
            }
            return MeetingPoint(
                device: device, port: relay,
                endpoint: Endpoint(address: address, port: relay.localPort), callee: nil)
        }
        let listener = try PeerListener(address: address, port: own)
        if declaration.settings["listens"] == .bool(false) {
            try listener.perform(.stopListening)
        }
        return MeetingPoint(
            device: device, port: listener,
            endpoint: Endpoint(address: address, port: listener.localPort), callee: nil)
    }

    /// Checks whether every peer on the air has a controller that carries it.
    private static func checkAir(
        of bluetoothPeers: [PeerDeclaration], in testCase: TestCase, among kinds: [PeerKind]
    ) throws(WorkerError) {
        let controllers = kinds.filter { $0.air == .controller }.map(\.name)
        for resident in bluetoothPeers {
            let owner = testCase.peers.first { $0.name == resident.air }
            guard owner?.kind.air != .controller else { continue }
            throw WorkerError(
                detail: "the peer \(resident.name) needs `air`, the name of a peer of the kind "
                    + controllers.joined(separator: " or "))
        }
    }

    /// Checks that no device must listen where a peer listens already.
    private static func checkPorts(of hostedPeers: [HostedPeer]) throws(WorkerError) {
        let meetingPoints = hostedPeers.flatMap { actor in
            actor.meetingPoints.map { (actor.peer.name, $0) }
        }
        for (caller, meetingPoint) in meetingPoints {
            guard let callee = meetingPoint.callee,
                let listener = meetingPoints.first(where: { $0.1.endpoint == callee })
            else { continue }
            throw WorkerError(
                detail: "the device is to listen for \(caller) at \(callee), where "
                    + "\(listener.0) listens; give one of them another port")
        }
    }
}

extension PeerDeclaration {
    /// The declaration without the settings that the peer itself does not read.
    fileprivate var withoutHosting: PeerDeclaration {
        var result = self
        let others = ["listens", "tls"] + (kind.takesAnswers ? ["answers"] : [])
        result.settings = .object(
            (settings.objectValue ?? []).filter { !others.contains($0.name) })
        return result
    }
}
