import BuiltInProtocols
import SuiteLanguage
import TCPIP
import TestBench
import Testing
import Trace
import Wire

@testable import Judge
@testable import Live
@testable import PeerKit

@Suite("A peer that the device has left")
struct DepartureTests {
    private static let device = Endpoint(address: .loopback, port: 40_000)

    private let bench: WorkBench
    private let stage: PeerHost
    private let headUnit: Endpoint

    init() throws {
        bench = try WorkBench()
        stage = try PeerHost(
            testCase: bench.testCase, network: .loopback(isOwn: false), peers: .builtIn)
        headUnit = try #require(stage.parties.peers.first { $0.value == "hu" }?.key)
    }

    private func see(_ kind: TCPEvent.Kind, fromDevice: Bool) throws {
        let (source, destination) =
            fromDevice ? (Self.device, headUnit) : (headUnit, Self.device)
        let header = TCPHeader(
            sourcePort: source.port, destinationPort: destination.port,
            sequence: TCPSequence(1), flags: [])
        let event = TCPEvent(
            kind, from: source.address, to: destination.address, header: header, segmentLength: 0,
            stream: 0)
        try stage.observe(
            TraceMessage(
                number: 1, time: Timestamp(nanoseconds: 0), frames: [], source: source,
                destination: destination, content: event),
            withholdsAnswer: false)
    }

    private static let reference = StepReference(part: .body, index: 0, number: 1)

    private static func act(_ name: String) -> Demand.Action {
        Demand.Action(step: reference, party: "hu", name: name, arguments: .null)
    }

    private static func send(_ bytes: [UInt8]?) -> Demand.Send {
        var demand = Demand.Send(
            step: reference, message: "sdl.OnHMIStatus.notification", from: "hu", to: nil,
            fields: [], answering: nil)
        demand.bytes = bytes
        return demand
    }

    @Test(
        "A peer that the device has left neither closes nor resets nor sends, without an error",
        arguments: [TCPEvent.Kind.fin, .rst])
    func left(by kind: TCPEvent.Kind) throws {
        try see(.syn, fromDevice: true)
        try see(kind, fromDevice: true)
        try see(.fin, fromDevice: false)
        for action in ["close", "reset", "ignitionOff"] { try stage.perform(Self.act(action)) }
        #expect(try stage.send(Self.send(nil)).isSent == false)
        #expect(try stage.send(Self.send([1])).isSent == false)
        // An action that the peer never has is still an error.
        #expect(throws: PeerError.self) { try stage.perform(Self.act("leave")) }
    }

    @Test("A peer does not send in a session that the device has not started again")
    func sessionless() throws {
        try see(.syn, fromDevice: true)
        try see(.rst, fromDevice: true)
        try see(.syn, fromDevice: true)
        #expect(try stage.send(Self.send(nil)).isSent == false)
    }

    @Test("It is an error of the suite if the device never came, or if the peer itself closed")
    func suiteFault() throws {
        #expect(throws: PeerError.self) { try stage.perform(Self.act("close")) }
        #expect(throws: PeerError.self) { try stage.send(Self.send([1])) }
        try see(.syn, fromDevice: true)
        #expect(throws: PeerError.self) { try stage.send(Self.send(nil)) }
        try see(.fin, fromDevice: false)
        try see(.fin, fromDevice: true)
        #expect(throws: PeerError.self) { try stage.perform(Self.act("close")) }
    }

    @Test("In a drawn run, a peer without a connection or a session does nothing")
    func drawn() throws {
        let none = EndedConnections()
        let codes: [PeerError.Code] = [.noConnection, .noSession, .badField]
        let isSkipped = codes.map { code in
            let act = { () throws(PeerError) -> [PeerCommand] in throw PeerError(code, "") }
            do { return try none.unlessLeft(0, isDrawn: true, act) == nil } catch { return false }
        }
        #expect(isSkipped == [true, true, false])
    }

    @Test("A departure is recognised over iAP2, where a session ends and its link stays")
    func overLink() {
        var endedConnections = EndedConnections()
        let link = PeerConnection(address: .loopback, port: 40_000)
        func isExplained(_ code: PeerError.Code, of peer: Int = 1) -> Bool {
            let act = { () throws(PeerError) -> [PeerCommand] in throw PeerError(code, "") }
            do { return try endedConnections.unlessLeft(peer, isDrawn: false, act) == nil } catch {
                return false
            }
        }
        endedConnections.record("ea.open", on: link, of: 1, sentByPeer: false)
        #expect(!isExplained(.noSession))
        endedConnections.record("ea.close", on: link, of: 1, sentByPeer: false)
        #expect(isExplained(.noSession))
        #expect(!isExplained(.noSession, of: 0))
        #expect(!isExplained(.badField))
    }
}
