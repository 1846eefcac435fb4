import Results
import TCPIP
import Trace
import Wire

@testable import Judge
@testable import SuiteLanguage

/// A made-up trace of connections of the device, each with its own flow.
struct ConnectionTrace {
    private(set) var messages: [TraceMessage] = []
    private(set) var flow = -1
    /// The peer of the current connection.
    private var peer = Cast.headUnit

    /// The device attempts a connection.
    mutating func attempt(_ seconds: Double, toSecond: Bool = false) {
        flow += 1
        peer = toSecond ? Cast.second : Cast.headUnit
        add("tcp.SYN", seconds)
    }

    /// The current attempt succeeds.
    mutating func accept(_ seconds: Double) {
        add("tcp.SYNACK", seconds, fromDevice: false)
        add("tcp.established", seconds)
    }

    /// The current attempt fails, or the connection is aborted.
    mutating func refuse(_ seconds: Double) { add("tcp.refused", seconds, fromDevice: false) }

    /// The peer aborts the connection.
    mutating func reset(_ seconds: Double) { add("tcp.RST", seconds, fromDevice: false) }

    /// Adds any message of the current connection.
    mutating func add(
        _ name: String, _ seconds: Double, fromDevice: Bool = true, _ fields: Value = [:]
    ) {
        add(FakeMessage(name: name, fields: fields), seconds, fromDevice: fromDevice)
    }

    /// Adds data of the current connection that no decoder recognises.
    mutating func data(_ bytes: [UInt8], _ seconds: Double, fromDevice: Bool) {
        let header = TCPHeader(
            sourcePort: 1, destinationPort: 2, sequence: TCPSequence(0), flags: [.ack])
        let address = Cast.device.address
        add(
            TCPEvent(
                .data, from: address, to: address, header: header, segmentLength: bytes.count,
                stream: flow, count: bytes.count, bytes: bytes),
            seconds, fromDevice: fromDevice)
    }

    private mutating func add(
        _ content: any DissectedMessage, _ seconds: Double, fromDevice: Bool
    ) {
        let number = messages.count + 1
        let device = Endpoint(
            address: Cast.device.address, port: 40_000 + UInt16(clamping: max(0, flow)))
        messages.append(
            TraceMessage(
                number: number, time: Cast.time(seconds), frames: [number], flow: flow,
                source: fromDevice ? device : peer,
                destination: fromDevice ? peer : device,
                content: content))
    }

    /// The device exits, as its profile says that it may.
    mutating func exit(_ seconds: Double) {
        messages.append(
            TraceMessage(
                number: messages.count + 1, time: Cast.time(seconds), frames: [],
                content: DeviceEvent(
                    name: DeviceEvent.exited, fields: ["code": 0, "expected": true])))
    }

    /// The device was delayed by the machine.
    mutating func stall(_ seconds: Double, microseconds: Int64) {
        messages.append(
            TraceMessage(
                number: messages.count + 1, time: Cast.time(seconds), frames: [],
                content: DeviceEvent.stall(of: "device", length: .microseconds(microseconds))))
    }

    /// Judges the attempts after the first SYN against a schedule.
    func judgement(
        _ schedule: BackoffSchedule, first: [String] = ["tcp.SYN"], end: Double? = nil,
        quiet: Duration = .zero
    ) -> Judgement {
        let steps =
            first.map { expect($0, within: .seconds(100)) } + [
                Step(verb: .backoff(schedule), position: at(20))
            ]
        let testCase = testCase(
            steps, quiet: quiet, timeout: .seconds(100_000))
        let last = messages.last?.time ?? Cast.start
        return judged(
            testCase, on: messages, end: end.map(Cast.time) ?? last + .milliseconds(1))
    }
}

extension Judgement {
    /// The waits of the schedule.
    var waits: [ScheduledInterval] { steps.compactMap(\.schedule).first ?? [] }
    /// The sentence of the reason.
    var sentence: String { reason?.summary ?? "pass" }
}
