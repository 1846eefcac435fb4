import SuiteLanguage
import System
import TCPIP
import Trace
import Wire

/// The messages that Wireshark's dissectors find in captures, as `tshark` prints them.
///
/// They are a second source in addition to the protocols of `conform`, for captures only.
public struct TsharkDissection: Sendable {
    /// A requested dissector, and a port on which it replaces the dissector of that port.
    public struct Request: Sendable, Hashable {
        /// Wireshark's name of the protocol, such as `mqtt`.
        public let dissector: String
        /// The port as tshark writes it, such as `tcp.port==8883`; `nil` for the default ports.
        let port: String?

        /// Parses `mqtt=tshark`, `mqtt@8883=tshark` or `someip@udp/30490=tshark`; else `nil`.
        public init?(_ text: String) {
            let parts = text.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1] == "tshark" else { return nil }
            let words = parts[0].split(separator: "@", omittingEmptySubsequences: false)
            guard let name = words.first, words.count <= 2, !name.isEmpty else { return nil }
            dissector = String(name)
            guard words.count == 2 else {
                port = nil
                return
            }
            let place = words[1].split(separator: "/", omittingEmptySubsequences: false)
            let transport = place.count == 2 ? place[0] : "tcp"
            guard place.count <= 2, ["tcp", "udp"].contains(transport), let last = place.last,
                let number = UInt16(last), number > 0
            else { return nil }
            port = "\(transport).port==\(number)"
        }
    }

    private let requests: [Request]
    /// Wireshark's type of each field of the dissectors, by the field's name.
    private let types: [String: Substring]

    /// Queries tshark for the fields of these dissectors.
    ///
    /// - Throws: `CheckError` if tshark or one of the dissectors does not exist.
    public init(_ requests: [Request]) throws(CheckError) {
        self.requests = requests
        let text = String(decoding: try Self.output(["-G", "fields"]), as: UTF8.self)
        let names = Set(requests.map { Substring($0.dissector) })
        var known: Set<Substring> = []
        var types: [String: Substring] = [:]
        for line in text.split(separator: "\n") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            if columns.count >= 3, columns[0] == "P" { known.insert(columns[2]) }
            guard columns.count >= 5, columns[0] == "F", names.contains(columns[4]) else {
                continue
            }
            types[String(columns[2])] = columns[3]
        }
        if let unknown = names.subtracting(known).sorted().first {
            throw CheckError(
                description:
                    "tshark has no dissector \(unknown); tshark -G protocols lists all names")
        }
        self.types = types
    }

    /// The names of its messages, such as `tshark.mqtt`.
    public var messageNames: Set<String> {
        Set(requests.map { DissectorEvent.prefix + $0.dissector })
    }

    /// The names of all fields that they may have.
    public var fieldNames: [String] { types.keys.sorted() }

    /// Returns what the dissectors find in a capture.
    ///
    /// - Throws: `CheckError` if tshark fails, or its output is too long or cannot be read.
    public func find(in path: String) throws(CheckError) -> Found {
        let names = requests.map(\.dissector)
        var words = ["-n", "-r", path]
        for request in requests {
            guard let port = request.port else { continue }
            words += ["-d", "\(port),\(request.dissector)"]
        }
        words += [
            "-Y", names.joined(separator: " or "), "-T", "json", "--no-duplicate-keys",
            "-J", (Self.carriers + names).joined(separator: " "),
        ]
        let output = try Self.output(words)
        let packets: Value
        do {
            packets = try Value(json: output.span.bytes)
        } catch {
            throw CheckError(description: "\(path): what tshark printed cannot be read: \(error)")
        }
        var found = Found()
        for packet in packets.arrayValue ?? [] {
            guard let layers = packet["_source"]?["layers"], let place = Place(layers) else {
                found.leftOutCount += 1
                continue
            }
            for name in names {
                for layer in layers[name]?.elements ?? [] {
                    found.units[place.frame, default: []].append(
                        place.unit(DissectorEvent(of: name, fields: fields(of: layer))))
                }
            }
        }
        return found
    }

    /// What the dissectors found in a capture.
    public struct Found: Sendable, CustomStringConvertible {
        /// The units, by the frame that completed each.
        public fileprivate(set) var units: [Int: [DissectedUnit]] = [:]
        /// How many frames were left out, because neither TCP nor UDP over IP carried them.
        fileprivate var leftOutCount = 0

        /// A sentence that says how many messages were found and what may be missing.
        public var description: String {
            let count = units.values.reduce(0) { $0 + $1.count }
            let leftOut =
                leftOutCount == 0
                ? "" : "; \(leftOutCount) frame(s) without TCP or UDP over IP left out"
            return
                "tshark found \(count) message(s) in \(units.count) frame(s)\(leftOut); what "
                + "its reassembly gives up, or takes for another protocol, is missing"
        }
    }

    /// The layers that show the sender and the receiver.
    private static let carriers = ["frame", "ip", "ipv6", "tcp", "udp"]

    /// The largest output of tshark for one capture, in bytes.
    private static let outputMax = 256 << 20

    private static func output(_ arguments: [String]) throws(CheckError) -> [UInt8] {
        do throws(ProcessError) {
            return try CommandOutput.of(["tshark"] + arguments, errors: -1, limit: outputMax)
        } catch {
            throw CheckError(
                description:
                    "\(error); --dissect needs a working tshark (Debian: apt install tshark)")
        }
    }

    // MARK: - Fields

    /// Returns the fields of a layer by their full names.
    private func fields(of layer: Value) -> Value {
        var members: [Value.Member] = []
        var places: [String: Int] = [:]
        collect(layer) { name, value in
            guard let place = places[name] else {
                places[name] = members.count
                members.append(Value.Member(name, value))
                return
            }
            members[place].value = .array(members[place].value.elements + value.elements)
        }
        return .object(members)
    }

    private func collect(_ tree: Value, _ deliver: (String, Value) -> Void) {
        for member in tree.objectValue ?? [] {
            for element in member.value.elements {
                if let text = element.stringValue {
                    guard let type = types[member.name] else { continue }
                    deliver(member.name, Self.value(text, type))
                } else {
                    collect(element, deliver)
                }
            }
        }
    }

    /// Returns the value of a text according to Wireshark's type of its field.
    private static func value(_ text: String, _ type: Substring) -> Value {
        switch type {
        case "FT_BOOLEAN":
            return .bool(["1", "True"].contains(text))
        case "FT_BYTES", "FT_UINT_BYTES":
            return [UInt8](hexDigits: text.filter { $0 != ":" }).map(Value.bytes) ?? .string(text)
        case "FT_FLOAT", "FT_DOUBLE", "FT_RELATIVE_TIME":
            return Double(text).map(Value.double) ?? .string(text)
        case _ where type.hasPrefix("FT_UINT") || type.hasPrefix("FT_INT") || type == "FT_CHAR":
            let number =
                text.hasPrefix("0x")
                ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
            return number.map(Value.integer) ?? .string(text)
        default: return .string(text)
        }
    }

    // MARK: - Places

    /// The number of a frame, with its source and destination.
    private struct Place {
        let frame: Int
        private let source: Endpoint
        private let destination: Endpoint
        private let isDatagram: Bool

        /// Reads the layers of a frame; `nil` if neither TCP nor UDP over IP carried it.
        init?(_ layers: Value) {
            guard let frame = layers["frame"]?["frame.number"]?.stringValue.flatMap({ Int($0) })
            else { return nil }
            self.frame = frame
            isDatagram = layers["tcp"] == nil
            let transport = isDatagram ? "udp" : "tcp"
            // If packets are tunnelled, the last layer is the innermost.
            guard let ports = layers[transport]?.elements.last,
                let network = (layers["ip"] ?? layers["ipv6"])?.elements.last,
                let source = Self.end(network, ports, "src", "\(transport).srcport"),
                let destination = Self.end(network, ports, "dst", "\(transport).dstport")
            else { return nil }
            (self.source, self.destination) = (source, destination)
        }

        private static func end(
            _ network: Value, _ ports: Value, _ side: String, _ port: String
        ) -> Endpoint? {
            guard
                let address = (network["ip.\(side)"] ?? network["ipv6.\(side)"])?.stringValue
                    .flatMap({ IPAddress($0) }),
                let number = ports[port]?.stringValue.flatMap({ UInt16($0) })
            else { return nil }
            return Endpoint(address: address, port: number)
        }

        func unit(_ content: DissectorEvent) -> DissectedUnit {
            DissectedUnit(from: source, to: destination, isDatagram: isDatagram, content)
        }
    }
}

extension Value {
    /// The elements of an array, or the value itself if it is not an array.
    fileprivate var elements: [Value] { arrayValue ?? [self] }
}
