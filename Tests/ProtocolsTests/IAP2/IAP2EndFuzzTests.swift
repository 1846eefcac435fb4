import TestSupport
import Testing

@testable import ExternalAccessory

@Suite("iAP2: ends of a link with arbitrary input")
struct IAP2EndFuzzTests {
    /// Returns a packet with correct checksums, of known and unknown kinds.
    private func packet(_ random: inout SeededGenerator) -> IAP2.Packet {
        let flags: [IAP2.PacketFlags] = [
            .ack, .ack, .ack, [.ack, .eak], .syn, [.syn, .ack], .rst, .slp, [],
            IAP2.PacketFlags(rawValue: UInt8.random(in: 0...255, using: &random)),
        ]
        let payloads: [[UInt8]] = [
            [], IAP2.LinkSynchronization().bytes, IAP2Bench.identification.message.bytes,
            IAP2.ControlMessage.startIdentification.bytes,
            IAP2.ControlMessage.identificationAccepted.bytes,
            IAP2.ControlMessage.startSession(protocolID: 1, sessionID: 1).bytes,
            IAP2.ControlMessage.sessionStatus(1, 0).bytes, [0, 1, 2, 3],
            (0..<Int.random(in: 1...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            },
        ]
        var payload = payloads[Int.random(in: 0..<payloads.count, using: &random)]
        if !payload.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
            let place = Int.random(in: 0..<payload.count, using: &random)
            payload[place] = UInt8.random(in: 0...255, using: &random)
        }
        return IAP2.Packet(
            flags[Int.random(in: 0..<flags.count, using: &random)],
            sequence: UInt8.random(in: 0...6, using: &random) &- 1,
            acknowledgement: UInt8.random(in: 98...104, using: &random),
            sessionID: UInt8.random(in: 0...3, using: &random), payload: payload)
    }

    @Test(
        "Whatever packets arrive, an end writes little, and either continues or closes once",
        arguments: 0..<60 as Range<UInt64>)
    func packets(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var accessory = IAP2.AccessoryEnd(IAP2Bench.identification)
        var device = IAP2.DeviceEnd()
        accessory.start(at: .zero)
        device.start(at: .zero)
        _ = accessory.receive(IAP2.detection, at: .zero)
        _ = device.receive(IAP2.detection, at: .zero)
        var (now, said) = (Duration.zero, 0)
        var closings = (accessory: 0, device: 0)
        let count = 150
        for _ in 0..<count {
            now += .milliseconds(Int.random(in: 0...40, using: &random))
            let bytes = packet(&random).bytes
            for event in accessory.receive(bytes, at: now) + accessory.advance(to: now) {
                if case .closed = event { closings.accessory += 1 }
            }
            for event in device.receive(bytes, at: now) + device.advance(to: now) {
                if case .closed = event { closings.device += 1 }
            }
            said += accessory.takePackets().count + (device.takeOutput().isEmpty ? 0 : 1)
        }
        #expect(closings.accessory <= 1 && closings.device <= 1, "seed \(seed)")
        #expect(said < count * 20, "seed \(seed)")
    }

    @Test("Bytes that are not packets are skipped", arguments: 0..<20 as Range<UInt64>)
    func noise(seed: UInt64) {
        var random = SeededGenerator(seed: 500 + seed)
        var talk = IAP2Talk()
        talk.settle()
        for _ in 0..<20 {
            let bytes = (0..<Int.random(in: 1...64, using: &random)).map { _ in
                [0xFF, 0x5A, 0x55, UInt8.random(in: 0...255, using: &random)][
                    Int.random(in: 0..<4, using: &random)]
            }
            #expect(talk.accessory.receive(bytes, at: talk.now).isEmpty)
            #expect(talk.device.receive(bytes, at: talk.now).isEmpty)
        }
    }
}
