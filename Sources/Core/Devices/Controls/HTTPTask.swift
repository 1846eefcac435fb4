import SuiteLanguage
import System

/// An HTTP/1.1 request (RFC 9112); it is done when the answer is complete.
final class HTTPTask: ControlTask {
    let resource: String? = nil
    private let name: String
    private let address: NumericAddress
    private let request: [UInt8]
    private let status: Int?
    private var connection: TCPConnection?
    private var received: [UInt8] = []
    /// What it does, for the log.
    let description: String

    /// The most bytes of an answer that are read.
    private static let answerMax = 1 << 20

    /// Prepares a request.
    ///
    /// - Throws: `controlFailed` if the address cannot be used.
    init(
        _ name: String, _ control: HTTPControl, _ fill: (String) throws(DeviceError) -> String
    ) throws(DeviceError) {
        self.name = name
        status = control.status
        let url = try fill(control.url)
        guard let place = HTTPPlace(url) else {
            throw DeviceError(
                .controlFailed,
                "control \(name): \"\(url)\" is not an address that conform can use",
                advice: "write http://NUMBER:PORT/PATH; names and TLS are for a command")
        }
        address = place.address
        description = "\(control.method) \(url)"
        let body = Array(try control.body.map(fill)?.utf8 ?? "".utf8)
        var head = "\(control.method) \(place.path) HTTP/1.1\r\nHost: \(place.authority)\r\n"
        head += "Connection: close\r\n"
        if control.body != nil { head += "Content-Length: \(body.count)\r\n" }
        for (field, text) in control.headers.sorted(by: { $0.key < $1.key }) {
            let value = try fill(text)
            guard !value.contains(where: \.isNewline) else {
                throw DeviceError(
                    .controlFailed, "control \(name): the field \(field) has a line end")
            }
            head += "\(field): \(value)\r\n"
        }
        request = Array((head + "\r\n").utf8) + body
    }

    var descriptors: [Int32] {
        connection.map { $0.isConnected ? [$0.descriptor] : [] } ?? []
    }
    var isToBeRetried: Bool { connection?.wantsToWrite ?? false }

    func start() throws(DeviceError) {
        do throws(SystemError) {
            connection = try TCPConnection(to: address)
        } catch {
            throw failure("\(error)")
        }
    }

    func advance(_ print: (String) -> Void) throws(DeviceError) -> Bool {
        guard let connection else { return false }
        do throws(SystemError) {
            guard try isAnswered(on: connection) else { return false }
        } catch {
            // A reset after the complete answer does no harm.
            if HTTPAnswer(received, isWhole: false) == nil { throw failure("\(error)") }
        }
        return try finish(print)
    }

    /// Sends the rest of the request and reads the available part of the answer.
    ///
    /// - Returns: Whether the answer is complete.
    private func isAnswered(on connection: TCPConnection) throws(SystemError) -> Bool {
        if try connection.finishConnecting() { try connection.send(request) }
        guard connection.isConnected else { return false }
        try connection.flush()
        while received.count <= Self.answerMax {
            switch try connection.receive() {
            case .bytes(let bytes): received += bytes
            case .nothing: return HTTPAnswer(received, isWhole: false) != nil
            case .end: return true
            }
        }
        return true
    }

    private func finish(_ print: (String) -> Void) throws(DeviceError) -> Bool {
        connection = nil
        guard let answer = HTTPAnswer(received, isWhole: true) else {
            throw failure("the answer is not HTTP, or has more than \(Self.answerMax) bytes")
        }
        print("HTTP \(answer.status)")
        answer.body.split(whereSeparator: \.isNewline).forEach { print(String($0)) }
        let isRight = status.map { $0 == answer.status } ?? (200...299).contains(answer.status)
        guard isRight else {
            throw failure(
                "the status is \(answer.status)" + (status.map { ", expected \($0)" } ?? ""))
        }
        return true
    }

    private func failure(_ what: String) -> DeviceError {
        DeviceError(
            .controlFailed, "control \(name) (\(description)): \(what)",
            advice: "look into the device's log for what it answered")
    }
}

/// The parts of an `http` address.
struct HTTPPlace {
    let address: NumericAddress
    let authority: String
    let path: String

    /// Parses an address; `nil` for another scheme, or a host that is not numeric.
    init?(_ url: String) {
        let scheme = "http://"
        guard url.lowercased().hasPrefix(scheme),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        let rest = url.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        let tail = String(rest[end...])
        authority = String(rest[..<end])
        path = tail.hasPrefix("/") ? tail : "/" + tail
        var host = authority[...]
        var port: UInt16 = 80
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = UInt16(authority[authority.index(after: colon)...]) else {
                return nil
            }
            port = number
            host = authority[..<colon]
        }
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        guard let address = NumericAddress(host: String(host), port: port) else { return nil }
        self.address = address
    }
}

/// An HTTP answer (RFC 9112 2.1), as far as a control uses it.
struct HTTPAnswer {
    let status: Int
    let body: String

    /// Reads an answer.
    ///
    /// - Parameter isWhole: Whether nothing comes after these bytes; otherwise an answer without a
    ///   known length, or shorter than its length, is `nil`.
    init?(_ bytes: [UInt8], isWhole: Bool) {
        guard let end = Self.headEnd(of: bytes) else { return nil }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let lines = head.split(whereSeparator: \.isNewline)
        guard let first = lines.first, first.hasPrefix("HTTP/1."),
            let code = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
            (100...999).contains(code)
        else { return nil }
        status = code
        let rest = bytes[(end + 4)...]
        let length = lines.lazy.compactMap { line -> Int? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
            return Int(parts[1].filter { $0 != " " }).map { max(0, $0) }
        }.first
        if !isWhole {
            guard let length, rest.count >= length else { return nil }
        }
        body = String(decoding: rest.prefix(length ?? rest.count), as: UTF8.self)
    }

    /// Returns where the empty line after the header begins.
    private static func headEnd(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
    }
}
