import BuiltInProtocols
import HTTP
import TCPIP
import TestSupport
import Testing
import Wire

@testable import PeerKit

/// Arbitrary traffic of clients, after which the server must work as before.
struct SessionServerFuzzTests {
    @Test("no bytes of a client, in any order, break the server", arguments: 0..<40)
    func anyBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bench = try SessionServerBench([
            "systemPing": "5s", "keeps": "20s",
            "connections": [["answer": 111], ["accept": false], ["after": "1s", "then": "abort"]],
        ])
        var open: [PeerConnection] = []
        for _ in 0..<60 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: open.append(bench.dial())
            case 1:
                guard let connection = open.randomElement(using: &random) else { continue }
                let version = ["25", "5", "x", "999"].randomElement(using: &random)
                _ = bench.connect(
                    on: connection, token: Bool.random(using: &random) ? "t" : nil,
                    version: version, carrier: Bool.random(using: &random) ? .query : .headers)
            case 2:
                guard let connection = open.randomElement(using: &random) else { continue }
                _ = bench.send(random.bytes(upTo: 40), on: connection)
            case 3:
                guard let connection = open.randomElement(using: &random) else { continue }
                let opcode = WebSocket.Opcode(rawValue: UInt8.random(in: 0...15, using: &random))
                let frame = WebSocket.Frame(
                    opcode, random.bytes(upTo: 200), isFinal: Bool.random(using: &random),
                    maskingKey: [1, 2, 3, 4])
                _ = bench.send(frame.bytes, on: connection)
            case 4:
                guard let connection = open.randomElement(using: &random) else { continue }
                let kind = TCPEvent.Kind.allCases.randomElement(using: &random) ?? .rst
                bench.event(kind, on: connection, sentByPeer: Bool.random(using: &random))
            case 5: _ = bench.wait(.milliseconds(Int.random(in: 0...3000, using: &random)))
            case 6:
                let actions = ["close", "reset", "abort", "ping", "forget"]
                _ = try? bench.perform(actions.randomElement(using: &random) ?? "ping")
            default:
                let names = ProtocolRegistry.builtIn.messageNames.filter {
                    $0.hasPrefix("diffusion.")
                }
                _ = try? bench.command(names.randomElement(using: &random) ?? "")
            }
            for connection in bench.peer.connections.live {
                #expect(bench.peer.connections[connection] != nil)
            }
            #expect(bench.peer.connections.live.count == bench.peer.connections.values.count)
            #expect(bench.peer.nextDeadline.map { $0 > bench.now - 5_000_000_000 } ?? true)
        }
        _ = try bench.perform("configure", ["connections": []])
        let last = bench.dial()
        #expect(bench.connect(on: last).field("code") == 100)
    }
}

extension SeededGenerator {
    fileprivate mutating func bytes(upTo length: Int) -> [UInt8] {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in
            UInt8.random(in: .min ... .max, using: &self)
        }
    }
}
