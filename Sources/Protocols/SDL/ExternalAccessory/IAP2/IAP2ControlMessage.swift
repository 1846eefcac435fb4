import Wire

extension IAP2 {
    /// A message of the control session: an id and numbered parameters.
    public struct ControlMessage: Sendable, Hashable {
        /// The bytes that begin a message.
        static let mark: [UInt8] = [0x40, 0x40]
        /// The number of bytes before the parameters.
        static let headerSize = 6

        /// The id, which gives the kind of message.
        public var id: UInt16
        /// Its parameters, in their order.
        public var parameters: [Parameter]

        /// Creates a message.
        public init(_ id: UInt16, _ parameters: [Parameter] = []) {
            self.id = id
            self.parameters = parameters
        }

        /// The first parameter with the given number.
        public subscript(_ id: UInt16) -> Parameter? { parameters.first { $0.id == id } }

        /// The message on the wire.
        public var bytes: [UInt8] {
            let body = parameters.flatMap(\.bytes)
            var bytes = Self.mark
            bytes.append(bigEndian: UInt16(clamping: Self.headerSize + body.count))
            bytes.append(bigEndian: id)
            return bytes + body
        }

        /// Returns the length of the message that begins with the bytes; `nil` if there are too
        /// few.
        ///
        /// - Throws: `.badValue` or `.badLength` if they do not begin a message.
        static func length(of bytes: ArraySlice<UInt8>) throws(DecodeError) -> Int? {
            let start = Array(bytes.prefix(4))
            guard start.starts(with: mark.prefix(start.count)) else {
                throw DecodeError(.badValue, in: "iap2.control", at: 0, "it does not begin with @@")
            }
            guard start.count == 4 else { return nil }
            let length = Int(start[2]) << 8 | Int(start[3])
            guard length >= headerSize else {
                throw DecodeError(
                    .badLength, in: "iap2.control.length", at: 2,
                    "\(length), expected at least \(headerSize)")
            }
            return length
        }

        /// Reads a complete message.
        ///
        /// - Throws: `.truncated`, `.badLength` or `.limit` if it or one of its parameters cannot
        ///   be read.
        init(parsing bytes: [UInt8]) throws(DecodeError) {
            var reader = ByteReader(bytes.span.bytes, unit: "iap2.control")
            try reader.skip(4, "length")
            id = try reader.uint16("message_id")
            parameters = try Parameter.list(reader.array(reader.remaining))
        }
    }

    /// A numbered parameter of a control message, or of a group.
    public struct Parameter: Sendable, Hashable {
        /// The number of bytes before the data.
        static let headerSize = 4

        /// Its number.
        public var id: UInt16
        /// Its data; parameters if it is a group.
        public var data: [UInt8]

        /// Creates a parameter with bytes.
        public init(_ id: UInt16, _ data: [UInt8] = []) {
            self.id = id
            self.data = data
        }

        /// Creates a parameter with one byte.
        public init(_ id: UInt16, uint8 number: UInt8) {
            self.init(id, [number])
        }

        /// Creates a parameter with a number of two bytes.
        public init(_ id: UInt16, uint16 number: UInt16) {
            self.init(id, [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
        }

        /// Creates a parameter with a text that ends with a zero byte.
        public init(_ id: UInt16, text: String) {
            self.init(id, Array(text.utf8) + [0])
        }

        /// Creates a parameter with a group of parameters.
        public init(_ id: UInt16, group: [Parameter]) {
            self.init(id, group.flatMap(\.bytes))
        }

        /// The parameter on the wire.
        public var bytes: [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(bigEndian: UInt16(clamping: Self.headerSize + data.count))
            bytes.append(bigEndian: id)
            return bytes + data
        }

        /// Reads parameters up to the end.
        ///
        /// - Throws: `.truncated` or `.badLength` for an invalid parameter, `.limit` for more than
        ///   `Limits.parameters`.
        public static func list(_ bytes: [UInt8]) throws(DecodeError) -> [Parameter] {
            var reader = ByteReader(bytes.span.bytes, unit: "iap2.parameter")
            var list: [Parameter] = []
            while reader.remaining > 0 {
                let start = reader.offset
                let length = Int(try reader.uint16("length"))
                let id = try reader.uint16("id")
                guard length >= headerSize else {
                    throw DecodeError(
                        .badLength, in: "iap2.parameter.length", at: start,
                        "\(length), expected at least \(headerSize)")
                }
                guard list.count < Limits.parameters else {
                    throw DecodeError(
                        .limit, in: "iap2.parameter", at: start,
                        "more than \(IAP2.Limits.parameters) parameters")
                }
                list.append(Parameter(id, try reader.array(length - headerSize, "data")))
            }
            return list
        }

        /// The number, if the data has one or two bytes.
        public var number: UInt16? {
            switch data.count {
            case 1: UInt16(data[0])
            case 2: UInt16(data[0]) << 8 | UInt16(data[1])
            default: nil
            }
        }

        /// The text without its final zero byte; `nil` if it is not UTF-8.
        public var text: String? {
            String(validating: data.last == 0 ? data.dropLast() : data[...], as: UTF8.self)
        }
    }
}
