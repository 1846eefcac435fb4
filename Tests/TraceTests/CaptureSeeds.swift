import Capture
import Glibc
import HTTP
import TestSupport

/// Small handmade captures of many kinds, for tests that damage them.
enum CaptureSeeds {
    /// The frames of an SDL session, a WebSocket session and an unknown protocol.
    ///
    /// The SDL session has a multi-frame message, and the WebSocket session is resumed. Segments
    /// are repeated, late and overlapping.
    static let frames: [[UInt8]] = {
        let sdl = TestSegment.handshake() + sdlSegments
        let session = (TestSegment.handshake() + sessionSegments).map { segment in
            var other = segment
            other.clientPort = 40_001
            other.serverPort = 8_080
            return other
        }
        let unknown = TestSegment(
            sequence: 7, flags: [.ack, .psh], payload: Array("hello".utf8), clientPort: 40_002)
        var all = sdl.map(\.frame)
        for (index, segment) in session.enumerated() {
            all.insert(segment.frame, at: min(all.count, index * 2))
        }
        all.append(unknown.frame)
        all.append(ethernet(0x86DD, [UInt8](repeating: 0x60, count: 48)))
        all.append(ethernet(0x0800, ipv4([1, 2, 3, 4], protocolNumber: 6, fragment: 0x2000)))
        return all
    }()

    private static var sdlSegments: [TestSegment] {
        let start: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]
        let accepted: [UInt8] = [0x50, 7, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1]
        let register = rpc(0x0000_0001, #"{"appName":"Seed","appID":"1","hashID":"abc"}"#)
        let registered = rpc(0x1000_0001, #"{"success":true,"resultCode":"SUCCESS"}"#)
        let half = register.count / 2
        let file = multiFrame(rpc(0x0000_0020, #"{"syncFileName":"a.png"}"#).dropFirst(12))
        return [
            .data(start, at: 1_000),
            .data(accepted, at: 5_000, isFromClient: false, acknowledgement: 1_008),
            .data(Array(register[half...]), at: 1_008 + UInt32(half)),
            .data(Array(register[..<half]), at: 1_008),
            .data(Array(register[..<half]), at: 1_008),
            .data(
                registered, at: 5_012, isFromClient: false,
                acknowledgement: 1_008 + UInt32(register.count)),
            .data(file, at: 1_008 + UInt32(register.count)),
            TestSegment(
                sequence: 1_008 + UInt32(register.count + file.count), acknowledgement: 9_999,
                flags: [.ack, .fin]),
        ]
    }

    /// Returns a single frame of the RPC service.
    static func rpc(_ word: UInt32, _ json: String, correlation: UInt32 = 1) -> [UInt8] {
        var payload: [UInt8] = []
        payload.append(bigEndian: word)
        payload.append(bigEndian: correlation)
        payload.append(bigEndian: UInt32(json.utf8.count))
        payload += Array(json.utf8)
        var frame: [UInt8] = [0x51, 7, 0, 1]
        frame.append(bigEndian: UInt32(payload.count))
        frame.append(bigEndian: UInt32(2))
        return frame + payload
    }

    /// Returns a First frame and two consecutive ones, the first of these with `cut` payload bytes.
    static func multiFrame(_ payload: ArraySlice<UInt8>, cut: Int = 20) -> [UInt8] {
        let parts = [payload.prefix(cut), payload.dropFirst(cut)]
        var bytes: [UInt8] = [0x52, 15, 0, 1, 0, 0, 0, 8, 0, 0, 0, 3]
        bytes.append(bigEndian: UInt32(payload.count))
        bytes.append(bigEndian: UInt32(parts.count))
        for (part, info) in zip(parts, [UInt8(1), 0]) {
            bytes += [0x53, 15, info, 1]
            bytes.append(bigEndian: UInt32(part.count))
            bytes += [0, 0, 0, 3] + part
        }
        return bytes
    }

    private static var sessionSegments: [TestSegment] {
        let request = Array(
            """
            GET /diffusion?ty=WB&v=18&ca=8&r=60000 HTTP/1.1\r\nHost: s\r\nUpgrade: websocket\r\n\
            Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
            Sec-WebSocket-Version: 13\r\n\r\n
            """.utf8)
        let answer = Array(
            """
            HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Accept: AAAA\r\n\r\n
            """.utf8)
        let opened: [UInt8] = [0x82, 55, 0x23, 18, 100] + Array(repeating: 0x41, count: 52)
        let ping: [UInt8] = [0x82, 0x83, 1, 2, 3, 4, 1, 0x3A, 4]
        return [
            .data(request, at: 1_000),
            .data(answer + opened, at: 5_000, isFromClient: false),
            .data(ping, at: 1_000 + UInt32(request.count)),
            TestSegment(sequence: 1_009 + UInt32(request.count), flags: [.rst]),
        ]
    }

    /// Returns the frames as a pcap file.
    static func pcap(isNanosecond: Bool, linkType: UInt32 = 1, dropping: Int = 0) -> [UInt8] {
        pcap(frames, isNanosecond: isNanosecond, linkType: linkType, dropping: dropping)
    }

    /// Returns frames as a pcap file, a millisecond or a microsecond apart.
    static func pcap(
        _ frames: [[UInt8]], isNanosecond: Bool = false, linkType: UInt32 = 1, dropping: Int = 0
    ) -> [UInt8] {
        var file: [UInt8] = []
        file.append(littleEndian: isNanosecond ? 0xA1B2_3C4D : 0xA1B2_C3D4)
        file += [2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        file.append(littleEndian: 262_144)
        file.append(littleEndian: linkType)
        for (index, frame) in frames.enumerated() {
            file.append(littleEndian: 1_700_000_000)
            file.append(littleEndian: UInt32(index) * 1_000)
            file.append(littleEndian: UInt32(frame.count - dropping))
            file.append(littleEndian: UInt32(frame.count - dropping))
            file += frame.dropFirst(dropping)
        }
        return file
    }

    /// The frames as a pcapng file.
    static let pcapng: [UInt8] = {
        var file = block(
            0x0A0D_0D0A, [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + [UInt8](repeating: 255, count: 8))
        file += block(1, [1, 0, 0, 0, 0, 0, 4, 0])
        for (index, frame) in frames.enumerated() {
            var body: [UInt8] = [0, 0, 0, 0]
            body.append(littleEndian: 391_000)
            body.append(littleEndian: UInt32(index) * 1_000)
            body.append(littleEndian: UInt32(frame.count))
            body.append(littleEndian: UInt32(frame.count))
            file += block(6, body + frame)
        }
        return file
    }()

    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        var bytes: [UInt8] = []
        bytes.append(littleEndian: type)
        bytes.append(littleEndian: UInt32(padded.count + 12))
        bytes += padded
        bytes.append(littleEndian: UInt32(padded.count + 12))
        return bytes
    }

    /// All seeds.
    static let all: [[UInt8]] = [
        pcap(isNanosecond: true), pcap(isNanosecond: false),
        pcap(isNanosecond: false, linkType: 101, dropping: 14), pcapng,
    ]
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian number: UInt32) {
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

/// A file that is rewritten for each reading and is deleted with its object.
final class ScratchFile {
    let path: String
    private let descriptor: Int32

    init() throws {
        var template = Array("\(TemporaryFolder.ofRun)/trace-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { throw CaptureError(.io, path, "cannot be made") }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Replaces the whole content by these bytes.
    func write(_ bytes: [UInt8]) throws {
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
            ftruncate(descriptor, bytes.count) == 0
        else { throw CaptureError(.io, path, "cannot be written") }
    }

    /// Shortens the content.
    func cut(to count: Int) throws {
        guard ftruncate(descriptor, count) == 0 else {
            throw CaptureError(.io, path, "cannot be cut")
        }
    }
}
