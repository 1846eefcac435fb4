import TestSupport
import Testing

@testable import BuiltInProtocols
@testable import ExternalAccessory
@testable import Wire

@Suite("iAP2: arbitrary bytes and splits")
struct IAP2FuzzTests {
    /// The bytes of a talk with two sessions, each with its sender.
    private static let talk: [(side: ConnectionSide, bytes: [UInt8])] = {
        var talk = IAP2Talk()
        talk.settle()
        for name in ["com.smartdevicelink.prot0", "com.smartdevicelink.multisession"] {
            guard let id = talk.device.open(name, at: talk.now) else { continue }
            talk.settle()
            talk.accessory.open(session: id, at: talk.now)
            talk.settle()
            talk.device.send(IAP2Bench.startService, session: id, at: talk.now)
            talk.accessory.send([5], session: id, at: talk.now)
            talk.settle()
        }
        talk.accessory.close(session: 1, at: talk.now)
        talk.settle()
        return talk.written
    }()

    private static func pieces(
        _ bytes: [UInt8], _ random: inout SeededGenerator
    ) -> [[UInt8]] {
        StreamPieces.cut(bytes, &random)
    }

    @Test("Splits never change the messages", arguments: 0..<40 as Range<UInt64>)
    func splits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (whole, cut) = (IAP2Bench(), IAP2Bench())
        for (side, original) in Self.talk {
            var bytes = original
            if seed % 2 == 1, Int.random(in: 0..<4, using: &random) == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x41
            }
            whole.send(bytes, from: side)
            for piece in Self.pieces(bytes, &random) { cut.send(piece, from: side) }
        }
        for side in ConnectionSide.allCases {
            whole.finish(side)
            cut.finish(side)
        }
        #expect(whole.texts == cut.texts, "seed \(seed)")
        #expect(!whole.found.isEmpty)
    }

    @Test("Arbitrary and damaged bytes are covered by messages", arguments: 0..<30 as Range<UInt64>)
    func arbitrary(seed: UInt64) {
        var random = SeededGenerator(seed: 1_000 + seed)
        var bench = IAP2Bench()
        for (side, original) in Self.talk {
            var bytes = original
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            // Correct checksums let the damage reach deeper layers.
            if bytes.count > 9, Bool.random(using: &random) {
                bytes[8] = IAP2.checksum(bytes[..<8])
                bytes[bytes.count - 1] = IAP2.checksum(bytes[9..<(bytes.count - 1)])
            }
            for piece in Self.pieces(bytes, &random) { bench.send(piece, from: side) }
            if Int.random(in: 0..<10, using: &random) == 0 {
                bench.lose(Int.random(in: 1...50, using: &random), from: side)
            }
            _ = bench.found.map { $0.message.content.fields }
        }
        for side in ConnectionSide.allCases {
            bench.finish(side, seed % 3 == 0 ? .captureEnded : .closed)
        }
        #expect(!bench.found.isEmpty)
        for found in bench.found {
            #expect(ProtocolRegistry.builtIn.message(named: found.name) != nil, "\(found.name)")
        }
    }

    @Test("Noise that begins like packets is skipped in bounded memory")
    func noise() {
        var random = SeededGenerator(seed: 5)
        var bench = IAP2Bench()
        for _ in 0..<64 {
            let bytes = (0..<2_048).map { _ in
                [0xFF, 0x5A, 0x55, 0, UInt8.random(in: 0...255, using: &random)][
                    Int.random(in: 0..<5, using: &random)]
            }
            bench.send(bytes, from: .first)
        }
        bench.finish(.first)
        let covered = bench.found.flatMap(\.message.ranges).reduce(0) { $0 + $1.count }
        #expect(covered == 64 * 2_048)
        #expect(bench.found.count < 1_000)
    }
}
