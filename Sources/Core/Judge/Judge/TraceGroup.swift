import Trace
import Wire

/// The parts of a trace that a case is judged on.
public enum Grouping: String, Sendable, Hashable, CaseIterable {
    /// All of it.
    case capture
    /// Each connection by itself.
    case connection
    /// Each session by itself, or each connection if its protocol has only one session on it.
    case session
    /// Everything that one device, identified by its address, exchanges with the peers.
    case device
}

/// One connection, session or device that a case is judged on.
public struct TraceGroup: Sendable, Hashable {
    /// The connection (`tcp.stream`) or the UDP flow; `nil` for a device.
    public var flow: Int?
    /// The session's number on its connection.
    public var session: Int64?
    /// The device's address; `nil` unless the trace is judged by devices.
    public var device: Endpoint?
    /// The first frame of it.
    public var firstFrame: Int
    /// The endpoint that called.
    public var caller: Endpoint?
    /// The endpoint that was called.
    public var callee: Endpoint?

    /// Its name: `tcp.stream 3`, `udp.stream 0`, `tcp.stream 3 session 2`, or `device 10.0.0.5`.
    public var name: String {
        if let device { return "device \(device.address)" }
        let stream = FlowNumber.text(flow ?? 0)
        return session.map { "\(stream) session \($0)" } ?? stream
    }

    /// Its name, ends and first frame: `tcp.stream 3  10.0.0.1:40000 > 10.0.0.2:12345  #17`.
    public var text: String {
        guard device == nil else { return "\(name)  #\(firstFrame)" }
        let ends = [caller, callee].map { $0?.description ?? "?" }
        return "\(name)  \(ends.joined(separator: " > "))  #\(firstFrame)"
    }
}
