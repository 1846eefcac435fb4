import Peers
import Protocols
import Suites
import Trace

/// A peer of a case with the places where it meets devices.
struct StageActor {
    var peer: any Peer
    let kind: String
    let posts: [StagePost]
    /// The line to all devices.
    var line: FaultLine

    /// Makes the peers of a case, without those on the air, and lets those listen that do.
    ///
    /// - Parameters:
    ///   - testCase: The case.
    ///   - usesOwnPorts: Whether the ports that the suite names are free.
    ///   - line: The line of each peer, without a fault.
    static func all(
        of testCase: TestCase, usesOwnPorts: Bool, line: FaultLine
    ) throws -> [StageActor] {
        let residents = testCase.peers.filter { $0.air != nil }
        try checkAir(of: residents, in: testCase)
        var ports = DevicePorts(usesOwnPorts: usesOwnPorts)
        let actors = try testCase.peers.enumerated().compactMap { number, declaration in
            guard declaration.air == nil else { return nil as StageActor? }
            let posts = try testCase.deviceNames.enumerated().map { index, device in
                try post(of: declaration, number, for: device, at: index, &ports)
            }
            let peer = try PeerFactory.make(
                declaration.withoutListening, with: residents.filter { $0.air == declaration.name })
            if peer.servesLink { for post in posts { post.port.keepsReceived = true } }
            return StageActor(peer: peer, kind: declaration.kind, posts: posts, line: line)
        }
        try checkPorts(of: actors)
        return actors
    }

    /// The place where a peer meets a device: it calls the device there, or listens for it.
    private static func post(
        of declaration: PeerDeclaration, _ number: Int, for device: String, at index: Int,
        _ ports: inout DevicePorts
    ) throws -> StagePost {
        let named = declaration.settings["port"]?.integerValue.map { UInt16(clamping: $0) }
        let kind = PeerKind.named(declaration.kind)
        let port = named ?? kind?.defaultPort ?? 0
        let address = address(ofDevice: index)
        if kind?.callsDevice == true {
            let callee = Endpoint(address: address, port: try ports.port(port, at: address))
            return .caller(number, of: device, at: index, calling: callee)
        }
        let listener = try PeerListener(address: address, port: ports.usesOwnPorts ? port : 0)
        if declaration.settings["listens"] == .bool(false) {
            try listener.perform(.stopListening)
        }
        return StagePost(
            device: device, port: listener,
            endpoint: Endpoint(address: address, port: listener.localPort), callee: nil)
    }

    /// The address for a device: 127.0.0.1 for the first, and so on.
    ///
    /// Peers listen there for it, and there it is to listen for peers.
    private static func address(ofDevice index: Int) -> IPAddress {
        index == 0 ? .loopback : IPAddress(ipv4: 0x7F00_0001 + UInt32(clamping: index))
    }

    /// Looks whether every peer on the air has a controller that carries it.
    private static func checkAir(
        of residents: [PeerDeclaration], in testCase: TestCase
    ) throws(WorkerError) {
        for resident in residents {
            let owner = testCase.peers.first { $0.name == resident.air }
            guard owner?.kind != PeerKind.bluetoothController.name else { continue }
            throw WorkerError(
                detail: "the peer \(resident.name) needs `air`, the name of a peer that is a "
                    + PeerKind.bluetoothController.name)
        }
    }

    /// Looks whether a device is to listen where a peer listens already.
    private static func checkPorts(of actors: [StageActor]) throws(WorkerError) {
        let posts = actors.flatMap { actor in actor.posts.map { (actor.peer.name, $0) } }
        for (caller, post) in posts {
            guard let callee = post.callee,
                let listener = posts.first(where: { $0.1.endpoint == callee })
            else { continue }
            throw WorkerError(
                detail: "the device is to listen for \(caller) at \(callee), where "
                    + "\(listener.0) listens; give one of them another port")
        }
    }
}

extension PeerDeclaration {
    /// The declaration without the setting that is about its listener alone.
    fileprivate var withoutListening: PeerDeclaration {
        var result = self
        result.settings = .object((settings.objectValue ?? []).filter { $0.name != "listens" })
        return result
    }
}
