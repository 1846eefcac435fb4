import BuiltInProtocols
import ExternalAccessory
import Foundation
import Judge
import Results
import SDL
import SuiteLanguage
import TestBench
import TestSupport
import TestTraffic
import Testing
import Trace

@testable import Offline

/// One connection reports to the phone that its accessory has gone, another ends the session.
@Suite("The case of the head unit that disappears and comes back")
struct GoneAccessoryTests {
    private static let suite =
        URL(filePath: #filePath).resolvingSymlinksInPath().path
        .components(separatedBy: "/Tests/OfflineTests/")[0]
        + "/Suites/protocol-string-fallback.yaml"
    private static let id = "accessory-that-comes-again-is-used-again"
    private static let accessories = Endpoint(address: .loopback, port: 12_345)

    private typealias Line = ExternalAccessory.BusLine

    private func conversation(_ port: UInt16) -> Conversation {
        Conversation(
            caller: Endpoint(address: .loopback, port: port), callee: Self.accessories)
    }

    private func headUnit(_ id: UInt32) -> ExternalAccessory.Accessory {
        ExternalAccessory.Accessory(
            id: id, name: "Head Unit", protocols: [ExternalAccessory.multisessionString])
    }

    /// Returns the segments of a session up to its first SDL message.
    private func session(
        _ connection: inout Conversation, with accessory: UInt32
    ) -> [TestTraffic.Segment] {
        var encoder = SDL.Encoder(version: 1)
        let wish = Line.session(
            accessory: accessory, protocolString: ExternalAccessory.multisessionString)
        return connection.handshake() + [
            connection.segment(from: .caller, payload: wish),
            connection.segment(from: .callee, payload: Line.opened(session: accessory)),
            connection.segment(
                from: .caller, payload: encoder.encode(.startService, service: .rpc)),
        ]
    }

    /// Returns the segments of a registration in the session.
    private func registration(
        _ connection: inout Conversation
    ) throws -> [TestTraffic.Segment] {
        var encoder = SDL.Encoder(version: 1)
        let name = "RegisterAppInterface"
        let request = try #require(
            SDL.RPC(.request, name, correlationID: 1, parameters: ["appName": "Phone"]))
        let answer = try #require(
            SDL.RPC(
                .response, name, correlationID: 1,
                parameters: ["success": true, "resultCode": "SUCCESS"]))
        return [
            connection.segment(from: .caller, payload: encoder.encode(request)),
            connection.segment(from: .callee, payload: encoder.encode(answer)),
        ]
    }

    /// Returns the result for a phone whose first session is ended by these sides in sequence.
    ///
    /// The phone closes its second session or leaves it open.
    private func verdict(
        ends: [Conversation.Side], opensAgain: Bool = true, closesAgain: Bool = false
    ) throws -> CaseResult {
        var control = conversation(40_001)
        var first = conversation(40_002)
        var again = conversation(40_003)
        var before = control.handshake()
        before.append(control.segment(from: .caller, payload: Line.control))
        for line in [Line.accessory(headUnit(1)), Line.ready] {
            before.append(control.segment(from: .callee, payload: line))
        }
        before += try session(&first, with: 1) + registration(&first)
        let gone = before.count
        before.append(control.segment(from: .callee, payload: Line.disconnected(id: 1)))
        before += ends.map { first.segment(from: $0, flags: [.fin, .ack]) }
        var after = [control.segment(from: .callee, payload: Line.connected(headUnit(2)))]
        if opensAgain { after += session(&again, with: 2) }
        if closesAgain { after.append(again.segment(from: .caller, flags: [.fin, .ack])) }
        let end = control.segment(from: .caller)
        let packets =
            before.enumerated().map { (milliseconds: ($0 < gone ? 1 : 301) + $0, bytes: $1.packet) }
            + after.enumerated().map { (milliseconds: 1000 + $0, bytes: $1.packet) }
            + [(milliseconds: 30_000, bytes: end.packet)]

        let folder = TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/made.pcapng"
        try WorkBench.write(packets, to: path)
        let suite = try SuiteLoader(.builtIn).load(path: Self.suite)
        let testCase = try #require(suite.cases.first { $0.id == Self.id })
        var options = CaptureCheck.Options(.builtIn)
        options.roles = CaptureRoles(peers: ["acc": Self.accessories])
        return try CaptureCheck(suite: suite, selection: .init(), options: options)
            .judge(testCase, on: path)
    }

    @Test(
        "It passes, whichever side ends the session first",
        arguments: [[Conversation.Side.caller, .callee], [.callee, .caller], [.callee]])
    func eitherSide(ends: [Conversation.Side]) throws {
        let result = try verdict(ends: ends)
        #expect(result.verdict == .pass, "\(result.reason?.summary ?? "")")
    }

    @Test("It fails a phone that does not come back, or that ends its second session")
    func secondSession() throws {
        for ends: [Conversation.Side] in [[.caller, .callee], [.callee, .caller]] {
            #expect(try verdict(ends: ends, opensAgain: false).verdict == .fail)
            #expect(try verdict(ends: ends, closesAgain: true).verdict == .fail)
        }
    }
}
