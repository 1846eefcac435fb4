import TestTraffic
import Testing
import Trace
import Wire

/// The rule by which the loss property excludes mutations, on a conversation made by hand.
@Suite("What can be noticed of a loss")
struct LossVisibilityTests {
    /// A conversation of ten packets.
    ///
    /// A handshake (1 to 3), a request (4), its acknowledgement (5), an answer (6), another request
    /// (7) and its acknowledgement (8), a reset (9), and the SYN of another connection (10).
    private static let capture: LossCapture = {
        let server = Endpoint(address: .loopback, port: 80)
        var talk = Conversation(
            caller: Endpoint(address: .loopback, port: 40_000), callee: server)
        var other = Conversation(
            caller: Endpoint(address: .loopback, port: 40_001), callee: server)
        var segments = talk.handshake()
        segments.append(talk.segment(from: .caller, payload: [1, 2, 3]))
        segments.append(talk.segment(from: .callee))
        segments.append(talk.segment(from: .callee, payload: [4]))
        segments.append(talk.segment(from: .caller, payload: [5, 6]))
        segments.append(talk.segment(from: .callee))
        segments.append(talk.segment(from: .callee, flags: [.rst]))
        segments.append(other.segment(from: .caller, flags: [.syn]))
        return LossCapture(
            segments.enumerated().map { index, segment in
                let bytes = LossCapture.ethernetHeader(of: segment.packet) + segment.packet
                return LossPacket(time: Int64(index), bytes: bytes, length: bytes.count)
            })
    }()

    private func visibility(
        _ mutation: LossMutation, in capture: LossCapture = capture
    ) -> LossVisibility {
        LossVisibility(of: mutation, in: capture, LossSegment.all(in: capture.packets))
    }

    @Test(
        "A loss that a later number or an acknowledgement proves can be noticed",
        arguments: [1, 2, 3, 4, 5, 6, 7, 8])
    func seen(frame: Int) {
        let one = visibility(.drop(frame: frame, count: 1))
        #expect(one.unseen.isEmpty)
        #expect(!one.isExcluded)
    }

    @Test("A reset, a connection, and last bytes with their acknowledgement are lost unnoticed")
    func unseen() {
        let reset = visibility(.drop(frame: 9, count: 1))
        #expect(reset.isExcluded && reset.reason == .reset)
        var short = Self.capture
        short.packets.remove(at: 8)
        let last = visibility(.drop(frame: 7, count: 2), in: short)
        // The acknowledgement needs no proof; the bytes have none.
        #expect(last.unseen == [6] && last.reason == .lastBytes)
        let start = visibility(.cutStart(frame: 10))
        #expect(start.isExcluded && start.reason == .connection)
    }

    @Test("A loss at the capture's end is noticed, unless the capture says that it continued")
    func end() {
        #expect(visibility(.cutEnd(frame: 7)).unseen.isEmpty)
        #expect(visibility(.drop(frame: 9, count: 2)).unseen.isEmpty)
        #expect(visibility(.drop(frame: 7, count: 3)).unseen == [6, 8])
    }

    @Test("The loss of a copy of remaining bytes cannot be noticed")
    func copy() {
        var capture = Self.capture
        capture.packets.insert(capture.packets[3], at: 4)
        #expect(visibility(.drop(frame: 4, count: 1), in: capture).reason == .copy)
    }

    @Test("Neighbours have an order if the second follows from the first")
    func order() {
        #expect(!visibility(.swap(frame: 4, withTimes: false)).isExcluded)
        #expect(!visibility(.swap(frame: 6, withTimes: false)).isExcluded)
        #expect(visibility(.swap(frame: 5, withTimes: false)).reason == .order)
        #expect(visibility(.swap(frame: 9, withTimes: false)).reason == .order)
        #expect(!visibility(.swap(frame: 9, withTimes: true)).isExcluded)
    }
}
