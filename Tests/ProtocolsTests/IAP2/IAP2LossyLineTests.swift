import TestSupport
import Testing

@testable import ExternalAccessory

@Suite("iAP2: a link that loses, repeats and reorders packets")
struct IAP2LossyLineTests {
    /// Bytes in flight and their receiver.
    private struct Flight {
        let arrival: Duration
        let toAccessory: Bool
        let bytes: [UInt8]
    }

    /// Two ends and the packets between them.
    private struct Line {
        var accessory: IAP2.Link
        var device: IAP2.Link
        var now = Duration.zero
        var flights: [Flight] = []
        var random: SeededGenerator
        var received: (accessory: [[UInt8]], device: [[UInt8]]) = ([], [])
        var closed: [String] = []

        init(seed: UInt64, _ proposal: IAP2.LinkSynchronization) {
            random = SeededGenerator(seed: seed)
            let first = UInt8.random(in: 0...255, using: &random)
            accessory = IAP2.Link(.accessory, proposing: proposal, initialSequence: first)
            device = IAP2.Link(.device, proposing: proposal, initialSequence: first &+ 99)
            device.start(at: now)
            accessory.start(at: now)
        }

        mutating func depart() {
            for (output, toAccessory) in [
                (accessory.takeOutput(), false), (device.takeOutput(), true),
            ] {
                for bytes in output {
                    let copies = [0, 1, 1, 1, 1, 1, 1, 2][Int.random(in: 0..<8, using: &random)]
                    for _ in 0..<copies {
                        let delay = Duration.milliseconds(Int.random(in: 1...60, using: &random))
                        flights.append(
                            Flight(arrival: now + delay, toAccessory: toAccessory, bytes: bytes))
                    }
                }
            }
        }

        /// Advances to the next arrival or deadline and returns whether there was one.
        mutating func step() -> Bool {
            let times =
                flights.map(\.arrival)
                + [accessory.nextDeadline, device.nextDeadline]
                .compactMap { $0 }
            guard let next = times.min() else { return false }
            now = max(now, next)
            let arrived = flights.filter { $0.arrival <= now }
            flights.removeAll { $0.arrival <= now }
            for flight in arrived {
                if flight.toAccessory {
                    accessory.receive(flight.bytes, at: now)
                } else {
                    device.receive(flight.bytes, at: now)
                }
            }
            accessory.advance(to: now)
            device.advance(to: now)
            for event in accessory.takeEvents() {
                if case .received(_, let payload) = event { received.accessory.append(payload) }
                if case .closed(let why) = event { closed.append(why) }
            }
            for event in device.takeEvents() {
                if case .received(_, let payload) = event { received.device.append(payload) }
                if case .closed(let why) = event { closed.append(why) }
            }
            return true
        }
    }

    @Test(
        "Payloads of both directions arrive completely and in order",
        arguments: 0..<25 as Range<UInt64>)
    func complete(seed: UInt64) {
        let proposal = IAP2.LinkSynchronization(
            maximumOutstanding: [1, 4, 16, 127][Int(seed % 4)], retransmissionTimeout: 150,
            acknowledgementTimeout: 20, maximumRetransmissions: 30)
        var line = Line(seed: seed, proposal)
        let payloads = (0..<150).map { [UInt8(truncatingIfNeeded: $0), UInt8(seed)] }
        for payload in payloads {
            line.accessory.send(payload, session: 2, at: .zero)
            line.device.send(payload + [1], session: 2, at: .zero)
        }
        var steps = 0
        while steps < 20_000, line.closed.isEmpty,
            line.received.device.count < payloads.count
                || line.received.accessory.count < payloads.count
        {
            line.depart()
            guard line.step() else { break }
            steps += 1
        }
        #expect(line.closed.isEmpty, "seed \(seed): \(line.closed)")
        #expect(line.received.device == payloads, "seed \(seed)")
        #expect(line.received.accessory == payloads.map { $0 + [1] }, "seed \(seed)")
        #expect(steps < 20_000)
    }

    @Test("A dead link closes both ends in bounded time")
    func dead() {
        var line = Line(seed: 1, .init(retransmissionTimeout: 150, maximumRetransmissions: 5))
        for _ in 0..<200 where !line.accessory.isEstablished || !line.device.isEstablished {
            line.depart()
            _ = line.step()
        }
        line.accessory.send([1], session: 2, at: line.now)
        line.device.send([1], session: 2, at: line.now)
        line.flights = []
        let start = line.now
        for _ in 0..<200 {
            _ = line.accessory.takeOutput()
            _ = line.device.takeOutput()
            guard line.step() else { break }
        }
        #expect(line.accessory.isClosed && line.device.isClosed)
        #expect(line.now - start < .seconds(2))
    }
}
