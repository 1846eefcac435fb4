import HTTP
import TCPIP
import TestSupport
import Testing

/// The end of a TLS handshake, as far as records show it without decryption.
struct TLSHandshakeTests {
    /// Bytes that one side sends.
    private struct Flight {
        var isClient: Bool
        var bytes: [UInt8]
    }

    private static func record(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [type, 3, 3, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }

    private static func serverHello(cipher: [UInt8], sessionLength: Int = 32) -> [UInt8] {
        let body =
            [3, 3] + Array(repeating: 7, count: 32) + [UInt8(sessionLength)]
            + Array(repeating: 9, count: sessionLength) + cipher + [0, 0, 0]
        return record(22, [2, 0, 0, UInt8(body.count)] + body)
    }

    private static let clientHello = record(22, [1, 0, 0, 90] + Array(repeating: 5, count: 90))
    private static let changeCipher = record(20, [1])
    private static func encrypted(_ type: UInt8, _ count: Int) -> [UInt8] {
        record(type, Array(repeating: 0xAA, count: count))
    }

    /// TLS 1.2 (RFC 5246 7.3), where the last flight ends the handshake.
    private static let version12 = [
        Flight(isClient: true, bytes: clientHello),
        Flight(isClient: false, bytes: serverHello(cipher: [0xC0, 0x2F]) + encrypted(22, 900)),
        Flight(isClient: true, bytes: encrypted(22, 70) + changeCipher + encrypted(22, 40)),
        Flight(isClient: false, bytes: changeCipher + encrypted(22, 40)),
    ]

    /// TLS 1.3 (RFC 8446 2), where the client's Finished ends the handshake.
    private static let version13 = [
        Flight(isClient: true, bytes: clientHello),
        Flight(
            isClient: false,
            bytes: serverHello(cipher: [0x13, 0x01]) + changeCipher + encrypted(23, 1200)),
        Flight(isClient: true, bytes: changeCipher + encrypted(23, 53)),
    ]

    private static func progress(_ flights: [Flight], cut: Int = .max) -> TLSHandshake.Progress {
        var handshake = TLSHandshake()
        for flight in flights {
            var rest = flight.bytes[...]
            while !rest.isEmpty {
                handshake.consume(Array(rest.prefix(cut)), fromClient: flight.isClient)
                rest = rest.dropFirst(cut)
            }
        }
        return handshake.progress
    }

    @Test(
        "a handshake is finished with its last flight and not before",
        arguments: [1, 2, 5, 7, 100, Int.max])
    func finished(cut: Int) {
        for flights in [Self.version12, Self.version13] {
            #expect(Self.progress(flights, cut: cut) == .finished)
            #expect(Self.progress(flights.dropLast(), cut: cut) == .running)
            var short = flights
            short[short.count - 1].bytes.removeLast()
            #expect(Self.progress(short, cut: cut) == .running)
        }
    }

    @Test("a client that refuses the certificate has not finished")
    func refused() {
        var alert = Self.version13
        alert[2].bytes = Self.changeCipher + Self.encrypted(23, 19)
        #expect(Self.progress(alert) == .running)
        var plain = Self.version12
        plain[2].bytes = Self.record(21, [2, 48])
        plain.removeLast()
        #expect(Self.progress(plain) == .running)
    }

    @Test("neither early data of a resumed session nor a second ClientHello is a Finished")
    func otherRecords() {
        var early = Array(Self.version13.dropLast())
        early[0].bytes += Self.changeCipher + Self.encrypted(23, 500)
        #expect(Self.progress(early) == .running)
        let retry = [
            Flight(isClient: true, bytes: Self.clientHello),
            Flight(
                isClient: false,
                bytes: Self.serverHello(cipher: [0x13, 0x02]) + Self.changeCipher),
            Flight(isClient: true, bytes: Self.changeCipher + Self.clientHello),
            Flight(isClient: false, bytes: Self.serverHello(cipher: [0x13, 0x02])),
        ]
        #expect(Self.progress(retry) == .running)
    }

    @Test("after bytes that are not TLS, or a gap, the progress is unknown")
    func unknown() {
        let http = Flight(isClient: true, bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(Self.progress([http]) == .unknown)
        let long = Flight(isClient: true, bytes: [22, 3, 1, 0xFF, 0xFF])
        #expect(Self.progress([long]) == .unknown)
        var handshake = TLSHandshake()
        handshake.consume(Self.clientHello, fromClient: true)
        handshake.gap()
        for flight in Self.version12 {
            handshake.consume(flight.bytes, fromClient: flight.isClient)
        }
        #expect(handshake.progress == .unknown)
    }

    @Test("any bytes are accepted, and cuts make no difference")
    func anyBytes() {
        for seed in 1...500 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var flights = Bool.random(using: &random) ? Self.version12 : Self.version13
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let flight = Int.random(in: 0..<flights.count, using: &random)
                let byte = Int.random(in: 0..<flights[flight].bytes.count, using: &random)
                flights[flight].bytes[byte] = UInt8.random(in: 0...255, using: &random)
            }
            let whole = Self.progress(flights)
            for cut in [1, 3, 64] {
                #expect(Self.progress(flights, cut: cut) == whole, "seed \(seed) cut \(cut)")
            }
        }
    }
}
