import SuiteLanguage
import TCPIP
import Trace
import Wire

@testable import Judge

/// A message that was never on a wire.
struct FakeMessage: DissectedMessage {
    let name: String
    let fields: Value
    var anomalies: [Anomaly] { [] }
    var bytes: [UInt8] { [] }
    var isInterim: Bool { fields["params"]?["interim"]?.boolValue == true }
    var carrierFault: String? { fields["params"]?["fault"]?.stringValue }
    var unread: Unread? {
        fields["params"]?["unread"]?.stringValue.map {
            Unread(name.hasSuffix(".malformed") ? [] : ["params"], because: $0)
        }
    }
}

/// The parties of every made-up trace: one device, two peers, one stranger.
enum Cast {
    static let device = Endpoint(address: IPAddress(ipv4: 0x7F00_0001), port: 40_000)
    static let headUnit = Endpoint(address: IPAddress(ipv4: 0x7F00_0001), port: 12_345)
    static let second = Endpoint(address: IPAddress(ipv4: 0x7F00_0001), port: 12_346)
    static let stranger = Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 80)
    static let parties = Parties(peers: [headUnit: "hu", second: "hu2"])
    static let start = Timestamp(nanoseconds: 1_700_000_000_000_000_000)

    static func time(_ seconds: Double) -> Timestamp {
        start + .nanoseconds(Int64((seconds * 1_000_000_000).rounded()))
    }
}

/// A line of a made-up trace, whose place in the trace is its number and frame.
struct Line {
    var seconds: Double
    var name: String
    var fields: Value
    var source: Endpoint?
    var destination: Endpoint?
    var isEvent = false

    /// The messages of a trace, numbered from 1; frame N carries message N.
    static func messages(_ lines: [Line]) -> [TraceMessage] {
        lines.enumerated().map { index, line in
            let content: any DissectedMessage =
                line.isEvent
                ? DeviceEvent(name: line.name, fields: line.fields)
                : FakeMessage(name: line.name, fields: line.fields)
            return TraceMessage(
                number: index + 1, time: Cast.time(line.seconds),
                frames: line.isEvent ? [] : [index + 1], flow: line.isEvent ? nil : 0,
                source: line.source, destination: line.destination, content: content)
        }
    }
}

/// The device sends, to the head unit unless another peer is given.
func sent(
    _ name: String, _ seconds: Double, _ params: Value = [:], to peer: Endpoint = Cast.headUnit
) -> Line {
    Line(
        seconds: seconds, name: name, fields: ["params": params], source: Cast.device,
        destination: peer)
}

/// The head unit sends.
func hu(_ name: String, _ seconds: Double, _ params: Value = [:]) -> Line {
    Line(
        seconds: seconds, name: name, fields: ["params": params], source: Cast.headUnit,
        destination: Cast.device)
}

/// Two strangers exchange a message.
func stranger(_ name: String, _ seconds: Double) -> Line {
    Line(
        seconds: seconds, name: name, fields: [:], source: Cast.stranger,
        destination: Cast.stranger)
}

/// Bytes of the device's stream are missing.
func gap(_ seconds: Double) -> Line {
    Line(
        seconds: seconds, name: "tcp.gap", fields: ["bytes": 12, "reason": "acknowledged"],
        source: Cast.device, destination: Cast.headUnit)
}

/// An event that the harness recorded.
func event(_ name: String, _ seconds: Double, _ fields: Value = [:]) -> Line {
    Line(seconds: seconds, name: name, fields: fields, isEvent: true)
}
