import BuiltInProtocols
import TestSupport
import Testing
import Wire

@testable import Bluetooth

@Suite("Bluetooth: frames and commands, byte by byte")
struct RFCOMMFrameTests {
    @Test(
        "Frames have the check sequences that captures of real stacks show",
        arguments: [
            (RFCOMMFrame(.sabm, dlci: 0), [0x03, 0x3F, 0x01, 0x1C]),
            (RFCOMMFrame(.ua, dlci: 0), [0x03, 0x73, 0x01, 0xD7]),
            (RFCOMMFrame(.disc, dlci: 0), [0x03, 0x53, 0x01, 0xFD]),
            (RFCOMMFrame(.uih, dlci: 0, payload: [0x83]), [0x03, 0xEF, 0x03, 0x83, 0x70]),
            (
                RFCOMMFrame(.uih, dlci: 0, isCommand: false, payload: [0x81]),
                [0x01, 0xEF, 0x03, 0x81, 0xAA]
            ),
        ] as [(RFCOMMFrame, [UInt8])])
    func known(frame: RFCOMMFrame, bytes: [UInt8]) throws {
        #expect(frame.bytes == bytes)
        #expect(try RFCOMMFrame(parsing: bytes) == frame)
    }

    @Test("Credits precede the payload and are not included in its length")
    func credits() throws {
        let frame = RFCOMMFrame(.uih, dlci: 6, credits: 33, payload: [1, 2])
        #expect(Array(frame.bytes.prefix(6)) == [0x1B, 0xFF, 0x05, 33, 1, 2])
        #expect(try RFCOMMFrame(parsing: frame.bytes) == frame)
        #expect(frame.channel == 3)
    }

    @Test("A length has one or two bytes", arguments: [0, 1, 127, 128, 300, 32_767])
    func lengths(count: Int) throws {
        let frame = RFCOMMFrame(.uih, dlci: 6, payload: [UInt8](repeating: 7, count: count))
        #expect(try RFCOMMFrame(parsing: frame.bytes) == frame)
        #expect(frame.bytes.count == count + (count < 128 ? 4 : 5))
    }

    @Test("Every damaged, truncated or extended frame is refused")
    func damage() {
        let frame = RFCOMMFrame(.sabm, dlci: 6)
        for place in frame.bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var bytes = frame.bytes
                bytes[place] ^= 1 << bit
                #expect(throws: DecodeError.self) { try RFCOMMFrame(parsing: bytes) }
            }
        }
        let data = RFCOMMFrame(.uih, dlci: 6, payload: [1, 2, 3]).bytes
        for count in 0..<data.count {
            #expect(throws: DecodeError.self) {
                try RFCOMMFrame(parsing: Array(data.prefix(count)))
            }
        }
        #expect(throws: DecodeError.self) { try RFCOMMFrame(parsing: data + [0]) }
    }

    @Test("Arbitrary bytes give a frame or an error")
    func arbitrary() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if let frame = try? RFCOMMFrame(parsing: bytes) {
                #expect(bytes.count >= 4 + frame.payload.count)
            }
        }
    }

    @Test("Commands of the signalling channel are read back as written")
    func signals() throws {
        let contents: [L2CAPSignal.Content] = [
            .commandReject(reason: 2), .connectionRequest(psm: 3, source: 0x41),
            .connectionResponse(destination: 0x52, source: 0x41, result: 1),
            .configurationRequest(destination: 0x52),
            .configurationResponse(source: 0x41, result: 0),
            .disconnectionRequest(destination: 0x52, source: 0x41),
            .disconnectionResponse(destination: 0x52, source: 0x41), .echoRequest(),
            .echoResponse(), .informationRequest(type: 2),
            .informationResponse(type: 2, result: 1), .other(code: 0x55),
        ]
        for content in contents {
            let signal = L2CAPSignal(content, identifier: 9)
            var reader = ByteReader(signal.bytes.span.bytes, unit: "btl2cap")
            #expect(try L2CAPSignal(parsing: &reader) == signal)
            #expect(reader.remaining == 0)
            let message = PacketMessage(packet: signal, bytes: signal.bytes)
            #expect(ProtocolRegistry.builtIn.message(named: message.name) != nil, "\(message.name)")
        }
        // Code 2, number 9, four bytes: service 3, channel 0041h, least significant byte first.
        #expect(
            L2CAPSignal(contents[1], identifier: 9).bytes == [2, 9, 4, 0, 3, 0, 0x41, 0])
    }
}
