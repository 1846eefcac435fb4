import Wire

extension SDL {
    /// A query of the security manager on the control service, which carries the TLS handshake.
    ///
    /// It consists of a header of 12 bytes, JSON, and binary data (specification 7.2).
    public struct SecurityQuery: Sendable, Hashable {
        private static let idMask: UInt32 = 0x00FF_FFFF

        /// The type: request 0x00, response 0x10, notification 0x20.
        public var type: UInt8
        /// The subject: 1 handshake data, 2 internal error; 24 bits.
        public var id: UInt32
        /// The number of the query.
        public var sequence: UInt32
        /// The JSON part; an empty object if there is none.
        public var parameters: Value
        /// The binary part: the handshake's bytes.
        public var data: [UInt8]

        /// Reads a query.
        ///
        /// Throws `badLength` for a JSON size beyond the message and `badText` for broken JSON.
        init(parsing payload: RawSpan) throws(DecodeError) {
            var reader = ByteReader(payload, unit: "sdl.SecurityQuery")
            let first = try reader.uint32("id")
            type = UInt8(first >> 24)
            id = first & SecurityQuery.idMask
            sequence = try reader.uint32("sequence")
            let size = Int(try reader.uint32("json_size"))
            let json = try reader.span(size, "json")
            parameters = size == 0 ? .object([]) : try Value(json: json)
            data = try reader.array(reader.remaining, "data")
        }
    }
}
