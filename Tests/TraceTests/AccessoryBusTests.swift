import BuiltInProtocols
import ExternalAccessory
import Testing
import Wire

@testable import Trace

@Suite("The accessory bus in a trace")
struct AccessoryBusTests {
    private static let preface = ExternalAccessory.BusLine.session(
        accessory: 1, protocolString: ExternalAccessory.multisessionString)
    private static let opened = ExternalAccessory.BusLine.opened(session: 4)

    /// Returns a trace with an open session, and the next sequence number of each side.
    private func session() -> (bench: TestBench, phone: UInt32, accessory: UInt32) {
        var bench = TestBench(protocols: ProtocolRegistry.builtIn.streamProtocols)
        bench.consume(TestSegment.handshake())
        let phone = 1000 + UInt32(Self.preface.count)
        bench.consume([.data(Self.preface, at: 1000, acknowledgement: 5000)])
        bench.consume([
            .data(Self.opened, at: 5000, isFromClient: false, acknowledgement: phone)
        ])
        return (bench, phone, 5000 + UInt32(Self.opened.count))
    }

    private func stated(_ bench: TestBench) -> [TraceMessage] {
        bench.messages.filter { !$0.name.hasPrefix("tcp.") }
    }

    @Test("each side's decoder sees both streams, and the side that closes first ends the session")
    func whole() throws {
        var (bench, phone, accessory) = session()
        bench.consume([.data([0x10, 7, 1, 0, 0, 0, 0, 0], at: phone)])
        bench.consume([
            TestSegment(isFromClient: false, sequence: accessory, flags: [.ack, .fin]),
            TestSegment(sequence: phone + 8, acknowledgement: accessory + 1, flags: [.ack, .fin]),
        ])
        bench.finish()
        let stated = stated(bench)
        #expect(stated.map(\.name) == ["ea.open", "ea.opened", "sdl.StartService", "ea.close"])
        let close = try #require(stated.last)
        #expect(close.source?.port == 12_345)
        #expect(close.frames == [7])
        #expect(close.content.fields["ea"]?["session_id"] == 4)
    }

    @Test("a reset ends the session on its sender's side, whichever end of the flow that is")
    func reset() throws {
        for isPhone in [true, false] {
            var (bench, phone, accessory) = session()
            bench.consume([
                TestSegment(
                    isFromClient: isPhone, sequence: isPhone ? phone : accessory,
                    flags: [.rst, .ack])
            ])
            bench.finish()
            let close = try #require(stated(bench).last)
            #expect(close.name == "ea.close")
            #expect(close.source?.port == (isPhone ? 40_000 : 12_345))
            #expect(close.frames == [6])
        }
    }

    @Test("a session that is still open when the capture ends has no end")
    func captureEnd() {
        var (bench, _, _) = session()
        bench.finish()
        #expect(stated(bench).map(\.name) == ["ea.open", "ea.opened"])
    }

    @Test("a FIN that overtakes data ends the session after that data, in the FIN's own frame")
    func overtaken() throws {
        var (bench, phone, _) = session()
        bench.consume([
            TestSegment(sequence: phone + 8, flags: [.ack, .fin]),
            .data([0x10, 7, 1, 0, 0, 0, 0, 0], at: phone),
        ])
        #expect(stated(bench).map(\.name).suffix(2) == ["sdl.StartService", "ea.close"])
        #expect(stated(bench).last?.frames == [6])
    }
}
