import SuiteLanguage
import Testing
import Wire

@testable import PeerKit

@Suite("Impairment of a link that carries packets")
struct PacketFaultTests {
    private static let device = PeerConnection(address: .loopback, port: 40_000)
    private static let count = 2000

    /// Sends packets a millisecond apart and returns their numbers and times as they are sent on.
    ///
    /// Times are in milliseconds.
    private func sent(
        _ faults: [(action: String, percent: Value)], seed: UInt64 = 0,
        _ make: (UInt8) -> PeerCommand = packet
    ) throws -> [(number: UInt8, at: Int64)] {
        var line = LinkImpairment(seed: seed)
        for fault in faults {
            #expect(try line.perform(fault.action, fault.percent, at: 0).isEmpty)
        }
        var found: [(number: UInt8, at: Int64)] = []
        func record(_ operations: [LinkImpairment.Operation], _ time: Int64) {
            for case .command(.write(_, let bytes)) in operations {
                found.append((bytes[0], time / 1_000_000))
            }
        }
        for number in 0..<Self.count {
            let now = Int64(number) * 1_000_000
            record(line.due(at: now), now)
            record(line.consume([make(UInt8(number % 250))], at: now), now)
        }
        while let next = line.nextDeadline { record(line.due(at: next), next) }
        return found
    }

    private static func packet(_ number: UInt8) -> PeerCommand { .packet(device, [number, 0xFF]) }

    private var numbers: [UInt8] { (0..<Self.count).map { UInt8($0 % 250) } }

    @Test("without a fault every packet is sent once, in order and at once")
    func plain() throws {
        let found = try sent([])
        #expect(found.map(\.number) == numbers)
        #expect(found.map(\.at) == (0..<Int64(Self.count)).map(\.self))
    }

    @Test("the given percentage of packets is lost approximately, and 0 and 100 exactly")
    func lost() throws {
        let found = try sent([("lose", 30)])
        #expect(0.65..<0.75 ~= Double(found.count) / Double(Self.count))
        #expect(try sent([("lose", 100)]).isEmpty)
        #expect(try sent([("lose", 100), ("lose", 0)]).map(\.number) == numbers)
    }

    @Test("a repeated packet is sent twice in succession")
    func repeated() throws {
        let found = try sent([("repeat", 100)]).map(\.number)
        #expect(found == numbers.flatMap { [$0, $0] })
        let some = try sent([("repeat", 20)])
        #expect(1.15..<1.25 ~= Double(some.count) / Double(Self.count))
    }

    @Test("a reordered packet is late, and none is lost")
    func reordered() throws {
        let found = try sent([("reorder", 25)])
        #expect(found.map(\.number).sorted() == numbers.sorted())
        #expect(found.map(\.number) != numbers)
        #expect(try sent([("reorder", 100)]).map(\.at) == (30..<Int64(Self.count + 30)).map(\.self))
    }

    @Test("another seed affects other packets at the same rate, and the same seed the same packets")
    func seeds() throws {
        var found: Set<[UInt8]> = []
        for seed in [0, 1, 2, UInt64.max] {
            let numbers = try sent([("lose", 30)], seed: seed).map(\.number)
            #expect(0.65..<0.75 ~= Double(numbers.count) / Double(Self.count))
            #expect(try sent([("lose", 30)], seed: seed).map(\.number) == numbers)
            found.insert(numbers)
        }
        #expect(found.count == 4)
    }

    @Test("the same faults affect the same packets in each run, and `listen` ends them")
    func repeatable() throws {
        let faults: [(String, Value)] = [("lose", 20), ("repeat", 20), ("reorder", 20)]
        let (first, second) = (try sent(faults), try sent(faults))
        #expect(first.map(\.number) == second.map(\.number))
        #expect(first.map(\.at) == second.map(\.at))
        var line = LinkImpairment()
        _ = try line.perform("lose", 100, at: 0)
        _ = try line.perform("listen", .null, at: 0)
        #expect(
            line.consume([Self.packet(1)], at: 0) == [.command(.write(Self.device, [1, 0xFF]))])
    }

    @Test("writes that are not packets of a retransmitting link are not affected")
    func plainWrites() throws {
        let found = try sent([("lose", 100), ("reorder", 100)]) { .write(Self.device, [$0]) }
        #expect(found.map(\.number) == numbers)
    }
}
