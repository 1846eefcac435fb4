import Foundation
import SDL
import TCPIP
import TestBench
import Wire

/// A capture of an SDL app and its head unit, made by hand, with each message in its own segment.
struct SyntheticCapture {
    private var app = SDL.Encoder(version: 5, sessionID: 1)
    private var headUnit = SDL.Encoder(version: 5, sessionID: 1)
    private var packets: [(milliseconds: Int, bytes: [UInt8])] = []
    private var sequence: (app: UInt32, headUnit: UInt32) = (1000, 5000)
    private var now = 0
    private let port: UInt16
    private let caller: IPAddress

    /// Begins with the handshake of the connection, unless the capture starts in the middle.
    init(port: UInt16 = 12345, caller: IPAddress = .loopback, hasHandshake: Bool = true) {
        self.port = port
        self.caller = caller
        guard hasHandshake else { return }
        add([], fromApp: true, flags: 0x02)
        add([], fromApp: false, flags: 0x12)
        add([], fromApp: true, flags: 0x10)
    }

    /// Lets time pass.
    mutating func wait(_ milliseconds: Int) { now += milliseconds }

    /// Adds the start of the session and the registration.
    mutating func register(session hash: Int64, hashID: String? = nil) {
        wait(5)
        send(
            app.encode(
                .startService, service: .rpc, parameters: ["protocolVersion": "5.4.0"],
                sessionID: 0, version: 1), fromApp: true)
        wait(2)
        send(
            headUnit.encode(
                .startServiceACK, service: .rpc,
                parameters: ["hashId": .integer(hash), "protocolVersion": "5.4.0"]),
            fromApp: false)
        var parameters: [Value.Member] = [
            .init("appName", "Weather"), .init("appID", "123"), .init("languageDesired", "EN-US"),
            .init("hmiDisplayLanguageDesired", "EN-US"), .init("isMediaApplication", false),
            .init(
                "syncMsgVersion", ["majorVersion": 8, "minorVersion": 0, "patchVersion": 0]),
        ]
        if let hashID { parameters.append(.init("hashID", .string(hashID))) }
        request("RegisterAppInterface", .object(parameters), id: 1)
        wait(10)
        answer("RegisterAppInterface", ["success": true, "resultCode": "SUCCESS"], id: 1)
    }

    /// Adds a request of the app.
    mutating func request(_ function: String, _ parameters: Value = .object([]), id: Int32) {
        rpc(.request, function, parameters, id: id, fromApp: true)
    }

    /// Adds a response of the head unit.
    mutating func answer(_ function: String, _ parameters: Value, id: Int32) {
        rpc(.response, function, parameters, id: id, fromApp: false)
    }

    /// Adds a notification of the head unit.
    mutating func notify(_ function: String, _ parameters: Value) {
        rpc(.notification, function, parameters, id: -1, fromApp: false)
    }

    /// Adds a heartbeat of the head unit and the app's answer.
    mutating func heartbeat() {
        send(headUnit.encode(.heartbeat, service: .control), fromApp: false)
        wait(1)
        send(app.encode(.heartbeatACK, service: .control), fromApp: true)
    }

    /// Adds the end of the session by the app.
    mutating func end(session hash: Int64) {
        send(
            app.encode(.endService, service: .rpc, parameters: ["hashId": .integer(hash)]),
            fromApp: true)
    }

    private mutating func rpc(
        _ type: SDL.RPCType, _ function: String, _ parameters: Value, id: Int32, fromApp: Bool
    ) {
        guard let rpc = SDL.RPC(type, function, correlationID: id, parameters: parameters) else {
            return
        }
        send(fromApp ? app.encode(rpc) : headUnit.encode(rpc), fromApp: fromApp)
    }

    /// Adds any bytes of one side.
    mutating func send(_ bytes: [UInt8], fromApp: Bool) {
        add(bytes, fromApp: fromApp, flags: 0x18)
    }

    private mutating func add(_ payload: [UInt8], fromApp: Bool, flags: UInt8) {
        let segment = Segment(
            isFromDevice: fromApp, sequence: fromApp ? sequence.app : sequence.headUnit,
            acknowledgement: fromApp ? sequence.headUnit : sequence.app, flags: flags,
            payload: payload, serverPort: port, caller: caller)
        packets.append((now, segment.bytes))
        let used = UInt32(payload.count) + (flags & 0x02 != 0 ? 1 : 0)
        if fromApp { sequence.app += used } else { sequence.headUnit += used }
    }

    /// Writes a pcap file that ends at this moment, and returns its path.
    mutating func write(to folder: String, as name: String) throws -> String {
        if !packets.isEmpty { add([], fromApp: true, flags: 0x10) }
        var bytes: [UInt8] = []
        func append(_ number: Int, bytes count: Int) {
            for shift in 0..<count {
                bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift)))
            }
        }
        append(0xA1B2_C3D4, bytes: 4)
        append(2, bytes: 2)
        append(4, bytes: 2)
        append(0, bytes: 8)
        append(262_144, bytes: 4)
        append(101, bytes: 4)  // raw IP
        for packet in packets {
            append(1_700_000_000 + packet.milliseconds / 1000, bytes: 4)
            append(packet.milliseconds % 1000 * 1000, bytes: 4)
            append(packet.bytes.count, bytes: 4)
            append(packet.bytes.count, bytes: 4)
            bytes += packet.bytes
        }
        let path = "\(folder)/\(name).pcap"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }
}
