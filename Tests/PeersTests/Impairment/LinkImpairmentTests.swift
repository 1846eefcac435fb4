import BuiltInProtocols
import SuiteLanguage
import TestSupport
import Testing
import Wire

@testable import PeerKit

/// Link impairment with a clock that tests set.
struct LinkImpairmentTests {
    private static let device = PeerConnection(address: .loopback, port: 40_000)
    private static let millisecond: Int64 = 1_000_000

    private func write(_ count: Int) -> PeerCommand {
        .write(Self.device, [UInt8](repeating: 7, count: count))
    }

    /// Runs until nothing is pending, and returns the operations with their times in milliseconds.
    private func run(
        _ line: inout LinkImpairment, _ commands: [PeerCommand]
    ) -> [(at: Int64, operation: LinkImpairment.Operation)] {
        var done = line.consume(commands, at: 0).map { (at: Int64(0), operation: $0) }
        while let next = line.nextDeadline {
            #expect(line.due(at: next - 1).isEmpty)
            done += line.due(at: next).map { (next / Self.millisecond, $0) }
        }
        return done
    }

    private func lengths(_ operations: [(at: Int64, operation: LinkImpairment.Operation)]) -> [Int]
    {
        operations.compactMap { item in
            if case .command(.write(_, let bytes)) = item.operation { bytes.count } else { nil }
        }
    }

    @Test("without a fault everything passes at once and in order")
    func plain() {
        var line = LinkImpairment()
        let commands = [write(5), .close(Self.device)]
        #expect(line.consume(commands, at: 9) == commands.map(LinkImpairment.Operation.command))
        #expect(line.nextDeadline == nil)
    }

    @Test("a delay applies to bytes and to closing")
    func delay() throws {
        var line = LinkImpairment()
        #expect(try line.perform("delay", "300ms", at: 0) == [])
        let done = run(&line, [write(5), .close(Self.device)])
        #expect(done.map(\.at) == [300, 300])
        #expect(done.map(\.operation) == [.command(write(5)), .command(.close(Self.device))])
        #expect(try line.perform("delay", "0s", at: 0) == [])
        let later = 300 * Self.millisecond
        #expect(line.consume([write(1)], at: later) == [.command(write(1))])
    }

    @Test("split writes are sent in pieces, and a throttle spaces them")
    func pieces() throws {
        var line = LinkImpairment()
        _ = try line.perform("split", 4, at: 0)
        let split = run(&line, [write(10), .close(Self.device)])
        #expect(lengths(split) == [4, 4, 2])
        #expect(split.map(\.at) == [0, 1, 2, 3])
        line = LinkImpairment()
        _ = try line.perform("split", 100, at: 0)
        _ = try line.perform("throttle", 1000, at: 0)
        let slow = run(&line, [write(250)])
        #expect(lengths(slow) == [100, 100, 50])
        #expect(slow.map(\.at) == [0, 100, 200])
    }

    @Test("a cut lets the bytes before it pass and resets the connection, once")
    func cut() throws {
        for (first, second, through) in [(3, 9, [3, 5]), (8, 9, [8]), (20, 9, [8])] {
            var line = LinkImpairment()
            _ = try line.perform("cut", 8, at: 0)
            let done = run(&line, [write(first)] + (through.count > 1 ? [write(second)] : []))
            #expect(lengths(done) == through)
            #expect(done.last?.operation == .command(.reset(Self.device)))
            #expect(lengths(run(&line, [write(100)])) == [100])
        }
    }

    @Test("a link that is down recovers by itself, and only once")
    func downFor() throws {
        var line = LinkImpairment()
        #expect(try line.perform("downFor", "8s", at: 0) == [.stopListening, .resetAll])
        #expect(line.nextDeadline == 8000 * Self.millisecond)
        #expect(line.due(at: 7999 * Self.millisecond) == [])
        #expect(line.due(at: 8000 * Self.millisecond) == [.listen])
        _ = try line.perform("downFor", "8s", at: 0)
        #expect(try line.perform("listen", .null, at: 1) == [.listen])
        #expect(line.nextDeadline == nil)
    }

    @Test("listen releases what was held back and ends the faults")
    func listen() throws {
        var line = LinkImpairment()
        _ = try line.perform("delay", "5s", at: 0)
        #expect(line.consume([write(3)], at: 0) == [])
        #expect(try line.perform("listen", .null, at: 1) == [.command(write(3)), .listen])
        #expect(line.consume([write(3)], at: 2) == [.command(write(3))])
    }

    @Test(
        "each invalid argument of an action is refused",
        arguments: [
            ("delay", 3), ("downFor", "soon"), ("throttle", "fast"), ("split", -1),
            ("cut", .null), ("turnAway", "kill"), ("lose", 101), ("repeat", -1),
            ("reorder", "30ms"),
        ] as [(String, Value)])
    func arguments(action: String, argument: Value) {
        var line = LinkImpairment()
        do throws(PeerError) {
            _ = try line.perform(action, argument, at: 0)
            Issue.record("\(action) took \(argument)")
        } catch {
            #expect(error.code == .badArgument)
        }
    }

    @Test("the actions of the vocabulary and those of link impairment are the same")
    func vocabulary() throws {
        let kind = try #require(ProtocolRegistry.builtIn.peer(named: "tcp.server"))
        let own = kind.actions.map(\.name).filter { $0 != "close" && $0 != "reset" }
        let packetFaults = ["lose", "repeat", "reorder"]
        #expect(own + packetFaults == LinkImpairment.actions)
        let accessories = try #require(ProtocolRegistry.builtIn.peer(named: "iap.accessory"))
            .actions.map(\.name)
        #expect(accessories.suffix(own.count + 3) == (own + packetFaults)[...])
        let unit = try #require(ProtocolRegistry.builtIn.peer(named: "sdl.head-unit")).actions.map(
            \.name)
        #expect(unit.suffix(own.count) == own[...])
    }

    @Test("random writes under random faults arrive complete and in order")
    func random() throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var line = LinkImpairment()
            var sent: [UInt8] = []
            var arrived: [UInt8] = []
            var now: Int64 = 0
            func arrive(_ operations: [LinkImpairment.Operation]) {
                for case .command(.write(_, let bytes)) in operations { arrived += bytes }
            }
            for _ in 0..<30 {
                now += Int64.random(in: 0...20_000_000, using: &random)
                arrive(line.due(at: now))
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    _ = try line.perform(
                        "split", [0, 1, 7].randomElement(using: &random) ?? 0, at: now)
                case 1:
                    _ = try line.perform(
                        "throttle", [0, 5000].randomElement(using: &random) ?? 0, at: now)
                case 2:
                    let delay = ["0s", "30ms"].randomElement(using: &random) ?? "0s"
                    _ = try line.perform("delay", .string(delay), at: now)
                default:
                    let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                    sent += bytes
                    arrive(line.consume([.write(Self.device, bytes)], at: now))
                }
            }
            while let next = line.nextDeadline { arrive(line.due(at: next)) }
            #expect(arrived == sent, "seed \(seed)")
        }
    }
}
