/// The objects that a description reads from bytes, with computed fields on demand.
///
/// If an error occurs, the objects read before it remain, and so does the object that failed.
public struct KaitaiReading: Sendable {
    /// The description by which the bytes are read.
    public let description: KaitaiDescription
    let limits: KaitaiLimits
    var streams: [ByteStream] = []
    var objects: [ObjectRecord] = []
    var slots: [Slot] = []

    var depth = 0
    var evaluationDepth = 0
    var stepsLeft: Int
    var elementsLeft: Int
    var bytesLeft: Int
    var producedLeft: Int
    /// The object whose reading failed.
    var failed: Int?
    /// The bytes that `content` needs in addition to the values; `nil` if they are not kept.
    var trailing: Padding?
    /// The checksum fields, in the order in which they were read.
    var checksums: [ReadChecksum] = []

    /// Bytes and bits that are not part of a value.
    struct Padding: Sendable {
        struct Key: Hashable {
            var place: Int
            var index: Int
        }

        /// The bytes after a value within its bounds, including terminators.
        var ofValues: [Key: [UInt8]] = [:]
        var ofObjects: [Int: [UInt8]] = [:]
        /// The last byte of bit fields, if the fields do not fill it.
        var lastBytes: [Int: UInt8] = [:]
        var latest: [UInt8] = []
    }

    /// An object: its type, its relations to others, and the place of its fields.
    struct ObjectRecord: Sendable {
        var type: TypeID
        /// The index of its first field in `slots`.
        var base: Int
        var parent: Int?
        var root: Int?
        var stream: Int
        /// The byte order; `inherited` until it is determined.
        var order: ByteOrder
        var start: Int
        var end: Int
    }

    /// The value of a field.
    struct Slot: Sendable {
        enum State: Sendable {
            case unread, inProgress, read
        }

        var value = KaitaiValue.none
        var state = State.unread
        var stream: Int32 = 0
        var start = 0
        var end = 0
    }

    /// Prepares a reading of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The input.
    ///   - description: The expected format.
    ///   - limits: Limits for the cost of reading.
    ///   - keepsFillings: Whether padding and unused bits are kept for `content`.
    public init(
        _ bytes: [UInt8], by description: KaitaiDescription, limits: KaitaiLimits = KaitaiLimits(),
        keepsTrailingBytes: Bool = false
    ) {
        trailing = keepsTrailingBytes ? Padding() : nil
        self.description = description
        self.limits = limits
        stepsLeft = limits.steps
        elementsLeft = limits.elements
        bytesLeft = limits.bytesRead
        producedLeft = limits.bytesProduced
        streams = [ByteStream(bytes, bytes.indices, isInput: true, isWhole: true)]
    }

    /// The top object; valid once `read` has been called.
    public var root: ObjectID { ObjectID(index: 0) }

    /// Reads all fields of `seq`, from the top object down.
    ///
    /// - Parameter parameters: The arguments of the top type.
    public mutating func read(parameters: [KaitaiValue] = []) throws(KaitaiError) {
        streams.removeLast(streams.count - 1)
        streams[0].position = streams[0].start
        streams[0].bitsLeft = 0
        objects = []
        slots = []
        failed = nil
        checksums = []
        let type = description.top
        guard parameters.count == description.types[type].parameterCount else {
            throw KaitaiError(
                code: .type,
                what:
                    "\(description.name) takes \(description.types[type].parameterCount) arguments")
        }
        _ = try object(of: type, parameters, on: 0, creator: nil, parent: nil)
    }

    /// The number of bytes of the input that have been taken.
    public var bytesTaken: Int { min(streams[0].position, streams[0].end) }

    /// Returns the type of an object in the form `a::b`.
    public func typeName(of object: ObjectID) -> String {
        description.types[objects[object.index].type].path.joined(separator: "::")
    }

    /// Returns the names of the `seq` fields of an object, in order.
    public func fieldNames(of object: ObjectID) -> [String] {
        let model = description.types[objects[object.index].type]
        return model.sequence.filter { model.fields[$0].isNamed }.map { model.fields[$0].id }
    }

    /// Returns the names of the instances of an object.
    public func instanceNames(of object: ObjectID) -> [String] {
        let model = description.types[objects[object.index].type]
        return model.instances.map { model.fields[$0].id }
    }

    /// A field of an object with its value.
    public struct Member: Sendable {
        /// The name of the field.
        public let name: String
        /// The value of the field.
        public let value: KaitaiValue
        /// The range in the input, as `range(of:in:)` returns it.
        public let range: Range<Int>?
        /// Whether the field is an instance.
        public let isComputed: Bool
    }

    /// Returns the fields of an object that have a value, in order, then its instances.
    ///
    /// The instances are computed now. An instance that fails is omitted, because nothing in the
    /// bytes depends on it.
    public mutating func members(of object: ObjectID, withInstances: Bool) -> [Member] {
        let record = objects[object.index]
        let sequence = description.types[record.type].sequence
        let instances = description.types[record.type].instances
        let last = withInstances ? instances.upperBound : sequence.upperBound
        var members: [Member] = []
        members.reserveCapacity(last - sequence.lowerBound)
        for slot in sequence.lowerBound..<last {
            let isNamed = description.types[record.type].fields[slot].isNamed
            guard isNamed, let value = try? value(slot, of: object.index), value != .none else {
                continue
            }
            let range = range(ofSlot: record.base + slot)
            let field = description.types[record.type].fields[slot]
            members.append(
                Member(
                    name: field.id, value: value.rounded(as: field.type, byteCount: range?.count),
                    range: range, isComputed: slot >= instances.lowerBound
                ))
        }
        return members
    }

    /// Returns the value of a field or an instance; an instance is computed on first use.
    public mutating func value(
        of name: String, in object: ObjectID
    ) throws(KaitaiError) -> KaitaiValue {
        guard let slot = description.types[objects[object.index].type].slots[name] else {
            throw KaitaiError(code: .type, what: "\(typeName(of: object)) has no field \"\(name)\"")
        }
        return try value(slot, of: object.index)
    }

    /// Returns the range of a field in the input; `nil` if it was not read or is not in the input.
    public func range(of name: String, in object: ObjectID) -> Range<Int>? {
        let record = objects[object.index]
        guard let slot = description.types[record.type].slots[name] else { return nil }
        return range(ofSlot: record.base + slot)
    }

    private func range(ofSlot place: Int) -> Range<Int>? {
        let field = slots[place]
        guard field.state == .read, field.end > field.start, streams[Int(field.stream)].isInput
        else { return nil }
        return field.start..<field.end
    }

    /// Returns the range of an object in the input; `nil` if it is not part of it.
    public func range(of object: ObjectID) -> Range<Int>? {
        let record = objects[object.index]
        return streams[record.stream].isInput && record.end >= record.start
            ? record.start..<record.end : nil
    }
}
