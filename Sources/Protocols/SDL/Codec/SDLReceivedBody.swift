import Synchronization
import Wire

extension SDL {
    /// The body of a received RPC, whose JSON is parsed on first access to a parameter.
    ///
    /// It has been verified beforehand that it is a JSON object, so that the access cannot fail.
    final class ReceivedBody: Sendable {
        private let payload: [UInt8]
        private let json: Range<Int>
        private let parsed = Mutex<Value?>(nil)

        /// Creates a body from a reassembled payload and the range of its JSON.
        ///
        /// Bulk data follows that.
        init(_ payload: [UInt8], json: Range<Int>) {
            self.payload = payload
            self.json = json
        }

        var bulkCount: Int { payload.count - json.upperBound }
        var bulk: [UInt8] { Array(payload[json.upperBound...]) }

        /// The parameters; empty if there is no JSON.
        var parameters: Value {
            parsed.withLock { parsed in
                if let parsed { return parsed }
                let value = Self.value(of: payload, json)
                parsed = value
                return value
            }
        }

        /// Returns the parameter at a path.
        ///
        /// If nothing has been parsed yet, only this parameter is created.
        func parameter(at path: ArraySlice<FieldPath.Component>) -> Value? {
            if json.isEmpty { return nil }
            let known = parsed.withLock { $0 }
            guard known == nil, let names = FieldPath.memberNames(path) else {
                return (known ?? parameters)[FieldPath(components: Array(path))]
            }
            let bytes = payload
            return Value.member(of: bytes.span.bytes.extracting(json), at: names)
        }

        private static func value(of payload: [UInt8], _ json: Range<Int>) -> Value {
            do throws(DecodeError) {
                return try Value(json: payload.span.bytes.extracting(json))
            } catch {
                return .object([])
            }
        }
    }
}

extension SDL.RPC {
    /// The content of an RPC apart from its header.
    enum Body: Sendable, Hashable {
        case made(parameters: Value, bulk: [UInt8])
        case received(SDL.ReceivedBody)

        private var content: (parameters: Value, bulk: [UInt8]) {
            switch self {
            case .made(let parameters, let bulk): (parameters, bulk)
            case .received(let received): (received.parameters, received.bulk)
            }
        }

        static func == (left: Self, right: Self) -> Bool { left.content == right.content }

        func hash(into hasher: inout Hasher) {
            hasher.combine(content.parameters)
            hasher.combine(content.bulk)
        }
    }
}

extension FieldPath {
    /// Returns the names of a path that leads through objects alone.
    ///
    /// The result is `nil` if the path is empty, has an index, or has a name that an array would
    /// accept as an index.
    package static func memberNames(_ components: ArraySlice<Component>) -> [String]? {
        guard !components.isEmpty else { return nil }
        var names: [String] = []
        for component in components {
            guard case .name(let name) = component, let first = name.utf8.first,
                !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
            else { return nil }
            names.append(name)
        }
        return names
    }
}
