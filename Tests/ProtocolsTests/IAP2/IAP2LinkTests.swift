import Testing

@testable import ExternalAccessory

@Suite("iAP2: the ends of a link")
struct IAP2LinkTests {
    private func packets(_ output: [[UInt8]]) -> [IAP2.Packet] {
        output.compactMap { bytes in
            IAP2.PacketHeader(bytes[...]).map {
                IAP2.Packet($0, payload: Array(bytes.dropFirst(9).dropLast()))
            }
        }
    }

    /// Returns two ends with an established link.
    private func established(
        _ proposal: IAP2.LinkSynchronization = .init()
    ) -> (accessory: IAP2.Link, device: IAP2.Link) {
        var accessory = IAP2.Link(.accessory, proposing: proposal, initialSequence: 250)
        var device = IAP2.Link(.device, initialSequence: 100)
        device.start(at: .zero)
        accessory.start(at: .zero)
        for _ in 0..<4 {
            for bytes in accessory.takeOutput() { device.receive(bytes, at: .zero) }
            for bytes in device.takeOutput() { accessory.receive(bytes, at: .zero) }
        }
        _ = accessory.takeEvents()
        _ = device.takeEvents()
        return (accessory, device)
    }

    @Test("Detection is repeated until the device answers, and is given up in the end")
    func detection() {
        var accessory = IAP2.Link(.accessory)
        accessory.start(at: .zero)
        #expect(accessory.takeOutput() == [IAP2.detection])
        accessory.advance(to: .milliseconds(999))
        #expect(accessory.takeOutput().isEmpty)
        accessory.advance(to: .seconds(1))
        #expect(accessory.takeOutput() == [IAP2.detection])
        for second in 2...40 { accessory.advance(to: .seconds(second)) }
        #expect(accessory.isClosed)
        #expect(accessory.takeOutput().count == 29)
        #expect(accessory.nextDeadline == nil)
    }

    @Test("Both ends use the values of the device's answer")
    func values() {
        var proposal = IAP2.LinkSynchronization(maximumOutstanding: 3, maximumLength: 9000)
        proposal.sessions.append(.init(id: 7, .fileTransfer))
        let (accessory, device) = established(proposal)
        #expect(accessory.isEstablished && device.isEstablished)
        #expect(accessory.values == device.values)
        #expect(accessory.values.maximumOutstanding == 3)
        #expect(accessory.values.maximumLength == 4096)
        #expect(accessory.values.sessions.map(\.id) == [1, 2])
    }

    @Test("The number of packets in flight does not exceed the window")
    func window() {
        var (accessory, device) = established(.init(maximumOutstanding: 3))
        for number in 1...5 as ClosedRange<UInt8> {
            let answer1 = accessory.send([number], session: 2, at: .zero)
            #expect(answer1)
        }
        let sent = accessory.takeOutput()
        #expect(packets(sent).map(\.sequence) == [251, 252, 253])
        for bytes in sent { device.receive(bytes, at: .zero) }
        for bytes in device.takeOutput() { accessory.receive(bytes, at: .zero) }
        #expect(packets(accessory.takeOutput()).map(\.sequence) == [254, 255])
        #expect(
            device.takeEvents()
                == [1, 2, 3].map { IAP2.Link.Event.received(session: 2, [$0]) })
    }

    @Test("An unacknowledged packet is sent again up to the limit, then the link fails")
    func retransmission() {
        var (accessory, _) = established(
            .init(retransmissionTimeout: 200, maximumRetransmissions: 2))
        accessory.send([1], session: 2, at: .zero)
        #expect(packets(accessory.takeOutput()).count == 1)
        #expect(accessory.nextDeadline == .milliseconds(200))
        for time in [200, 400] {
            accessory.advance(to: .milliseconds(time))
            #expect(packets(accessory.takeOutput()).map(\.sequence) == [251])
        }
        accessory.advance(to: .milliseconds(600))
        #expect(packets(accessory.takeOutput()).map(\.flags) == [.rst])
        guard case .closed(let why)? = accessory.takeEvents().last else {
            Issue.record("the link still stands")
            return
        }
        #expect(why.contains("packet 251 was not acknowledged after 2 retransmissions"))
        let isTaken = accessory.send([2], session: 2, at: .seconds(1))
        #expect(!isTaken)
    }

    @Test("An acknowledgement is delayed by its time-out, but not beyond the agreed packet count")
    func acknowledgements() {
        var (accessory, device) = established(
            .init(acknowledgementTimeout: 30, maximumAcknowledgements: 2))
        accessory.send([1], session: 2, at: .zero)
        for bytes in accessory.takeOutput() { device.receive(bytes, at: .zero) }
        #expect(device.takeOutput().isEmpty)
        #expect(device.nextDeadline == .milliseconds(30))
        accessory.send([2], session: 2, at: .zero)
        for bytes in accessory.takeOutput() { device.receive(bytes, at: .milliseconds(1)) }
        let sent = packets(device.takeOutput())
        #expect(sent.map(\.flags) == [.ack])
        #expect(sent.map(\.acknowledgement) == [252])
        #expect(device.nextDeadline == nil)
    }

    @Test("A packet that is ahead is answered with an EAK, and the sender fills the gap at once")
    func outOfOrder() {
        var (accessory, device) = established()
        for number in 1...3 as ClosedRange<UInt8> {
            accessory.send([number], session: 2, at: .zero)
        }
        let sent = accessory.takeOutput()
        device.receive(sent[1], at: .zero)
        device.receive(sent[2], at: .zero)
        #expect(device.takeEvents().isEmpty)
        let answers = device.takeOutput()
        #expect(packets(answers).map(\.flags) == [[.ack, .eak], [.ack, .eak]])
        #expect(packets(answers).map(\.payload) == [[252], [252, 253]])
        for bytes in answers { accessory.receive(bytes, at: .milliseconds(1)) }
        let again = accessory.takeOutput()
        #expect(packets(again).contains { $0.sequence == 251 })
        for bytes in again { device.receive(bytes, at: .milliseconds(2)) }
        #expect(
            device.takeEvents()
                == [1, 2, 3].map { IAP2.Link.Event.received(session: 2, [$0]) })
    }

    @Test("A reset closes both ends, and so does a SYN with another number")
    func reset() {
        var (accessory, device) = established()
        accessory.reset("enough")
        for bytes in accessory.takeOutput() { device.receive(bytes, at: .zero) }
        #expect(accessory.takeEvents() == [.closed("enough")])
        #expect(device.takeEvents() == [.closed("the other side has reset the link")])
        var (_, other) = established()
        let payload = IAP2.LinkSynchronization().bytes
        other.receive(IAP2.Packet(.syn, sequence: 5, payload: payload).bytes, at: .zero)
        #expect(other.isClosed)
    }

    @Test("Without time-outs nothing is acknowledged or repeated, as over a reliable transport")
    func unreliable() {
        var (accessory, device) = established(
            .init(retransmissionTimeout: 0, maximumRetransmissions: 0))
        for number in 0..<100 as Range<UInt8> {
            accessory.send([number], session: 2, at: .zero)
        }
        let sent = accessory.takeOutput()
        #expect(sent.count == 100)
        for bytes in sent { device.receive(bytes, at: .zero) }
        #expect(device.takeOutput().isEmpty)
        #expect(device.takeEvents().count == 100)
        #expect(accessory.nextDeadline == nil)
    }

    @Test("A payload that cannot be sent is refused")
    func refusals() {
        var (accessory, _) = established()
        let answer2 = accessory.send([], session: 2, at: .zero)
        #expect(!answer2)
        let longest = [UInt8](repeating: 1, count: accessory.payloadMax)
        let answer3 = accessory.send(longest, session: 2, at: .zero)
        #expect(answer3)
        let answer4 = accessory.send(longest + [1], session: 2, at: .zero)
        #expect(!answer4)
    }

    @Test("Sessions are opened, refused, used in both directions and closed by either end")
    func sessions() {
        var talk = IAP2Talk()
        talk.settle()
        #expect(talk.accessoryEvents == [.accepted])
        #expect(talk.deviceEvents == [.identified(IAP2Bench.identification)])
        let answer5 = talk.device.open("com.unknown", at: talk.now)
        #expect(answer5 == nil)
        let (hub, multi) = ("com.smartdevicelink.prot0", "com.smartdevicelink.multisession")
        let answer6 = talk.device.open(hub, at: talk.now)
        #expect(answer6 == 1)
        let answer7 = talk.device.open(multi, at: talk.now)
        #expect(answer7 == 2)
        let answer8 = talk.device.open(multi, at: talk.now)
        #expect(answer8 == 3)
        let answer9 = talk.device.send([1], session: 2, at: talk.now)
        #expect(!answer9)
        talk.settle()
        talk.accessory.close(session: 1, at: talk.now)
        talk.accessory.open(session: 2, at: talk.now)
        talk.accessory.open(session: 3, at: talk.now)
        talk.settle()
        let long = (0..<20_000).map { UInt8(truncatingIfNeeded: $0) }
        let answer10 = talk.device.send(long, session: 2, at: talk.now)
        #expect(answer10)
        let answer11 = talk.accessory.send([9], session: 3, at: talk.now)
        #expect(answer11)
        talk.settle()
        talk.device.close(session: 2, at: talk.now)
        talk.accessory.close(session: 3, at: talk.now)
        talk.settle()
        #expect(
            talk.deviceEvents.dropFirst() == [
                .refused(session: 1, status: 1), .opened(session: 2), .opened(session: 3),
                .data(session: 3, [9]), .closedSession(session: 3),
            ])
        var carried: [UInt8] = []
        for case .data(2, let bytes) in talk.accessoryEvents { carried += bytes }
        #expect(carried == long)
        #expect(
            talk.accessoryEvents.dropFirst().prefix(3) == [
                .requested(session: 1, protocolString: hub),
                .requested(session: 2, protocolString: multi),
                .requested(session: 3, protocolString: multi),
            ])
        #expect(talk.accessoryEvents.last == .stopped(session: 2))
    }
}
