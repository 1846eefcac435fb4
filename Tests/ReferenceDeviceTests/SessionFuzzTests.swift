import Diffusion
import HTTP
import Testing
import Wire

@testable import conform_device

@Suite("The session client with arbitrary bytes")
struct SessionFuzzTests {
    /// Returns bytes that a server could send, complete or broken.
    private func bytes(_ random: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8]
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes = random.bytes(Int.random(in: 0...40, using: &random))
        case 1:
            bytes =
                HTTPHead(
                    .response(status: Int.random(in: 99...600, using: &random), reason: "x"),
                    fields: [HTTPHead.Field("Upgrade", "websocket")]
                ).bytes
        case 2:
            let opcode = WebSocket.Opcode(rawValue: UInt8.random(in: 0...15, using: &random))
            bytes =
                WebSocket.Frame(
                    opcode, random.bytes(Int.random(in: 0...140, using: &random)),
                    isFinal: Bool.random(using: &random)
                ).bytes
        case 3:
            let payload = Diffusion.ConnectResponse.payload(
                version: 18, code: UInt8.random(in: 99...120, using: &random))
            bytes = WebSocket.Frame(.binary, payload).bytes
        case 4:
            bytes = WebSocket.Frame(.binary, [6, UInt8.random(in: 0...9, using: &random)]).bytes
        case 5: bytes = WebSocket.Frame(.binary, [0, 0x37, 0]).bytes
        default: bytes = WebSocket.Frame(.binary, [0x1C]).bytes
        }
        if Int.random(in: 0..<3, using: &random) == 0, !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
        }
        return bytes
    }

    @Test("The client survives and stays consistent, whatever the server and the application do")
    func anything() {
        for seed in UInt64(0)..<150 {
            var random = SplitMix64(state: seed)
            let mutant = SessionClientMutant.allCases.filter {
                $0 != .crashesWhenSessionUnknown
            }.randomElement(using: &random)
            var rig = SessionRig(mutant: seed % 2 == 0 ? nil : mutant)
            rig.feed(.started)
            for _ in 0..<60 {
                switch Int.random(in: 0..<12, using: &random) {
                case 0: rig.drop()
                case 1: rig.network = [.up, .refused, .silent].randomElement(using: &random) ?? .up
                case 2: rig.control("background")
                case 3: rig.control("foreground")
                case 4: rig.control("state")
                case 5: rig.sessions = [:]
                case 6, 7: rig.advance(Int.random(in: 0...20_000, using: &random))
                default: rig.receive(bytes(&random))
                }
            }
            rig.control("stop")
            #expect(rig.actions.last == .exit(0), "seed \(seed)")
            if seed % 2 == 0 {
                #expect(rig.open.count <= 1, "seed \(seed): connections are left open")
            }
            #expect(!rig.actions.contains(.harm(.crash)), "seed \(seed)")
        }
    }

    @Test("A good conversation is understood the same, byte by byte or in one piece")
    func cuts() {
        for size in [1, 2, 7, 1000] {
            var rig = SessionRig()
            rig.pieces = size
            rig.feed(.started)
            rig.advance(6500)
            #expect(rig.states.last == "Connected Active")
            #expect(rig.events.count { $0 == .pingSuccessful } == 2)
        }
    }
}
