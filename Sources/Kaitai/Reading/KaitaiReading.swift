/// What a description makes of some bytes: objects with fields, and computed fields on demand.
///
/// The objects that were read before an error stay, the one that failed with them.
public struct KaitaiReading: Sendable {
    /// What the bytes are read by.
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
    /// What `content` needs besides the values; `nil` if it is not kept.
    var fillings: Padding?
    /// The fields that are a checksum of others, in the order in which they were read.
    var checksums: [ReadChecksum] = []

    /// Bytes and bits that are no part of a value.
    struct Padding: Sendable {
        struct Key: Hashable {
            var place: Int
            var index: Int
        }

        /// What follows a value within its bounds, terminators included.
        var ofValues: [Key: [UInt8]] = [:]
        var ofObjects: [Int: [UInt8]] = [:]
        /// The last byte of bit fields that do not fill it.
        var lastBytes: [Int: UInt8] = [:]
        var latest: [UInt8] = []
    }

    /// An object: its type, where it belongs, and where its fields are.
    struct ObjectRecord: Sendable {
        var type: TypeID
        /// Index of its first field in `slots`.
        var base: Int
        var parent: Int?
        var root: Int?
        var stream: Int
        /// `inherited` as long as nothing decides.
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

    /// Prepares to read bytes.
    ///
    /// - Parameters:
    ///   - bytes: The input.
    ///   - description: What they should be.
    ///   - limits: Bounds on what they may cost.
    ///   - keepsFillings: Whether padding and unused bits are kept for `content`.
    public init(
        _ bytes: [UInt8], by description: KaitaiDescription, limits: KaitaiLimits = KaitaiLimits(),
        keepsFillings: Bool = false
    ) {
        fillings = keepsFillings ? Padding() : nil
        self.description = description
        self.limits = limits
        stepsLeft = limits.steps
        elementsLeft = limits.elements
        bytesLeft = limits.bytesRead
        producedLeft = limits.bytesProduced
        streams = [ByteStream(bytes, bytes.indices, isInput: true, isWhole: true)]
    }

    /// The top object, once `read` has been called.
    public var root: ObjectID { ObjectID(index: 0) }

    /// Reads all of `seq`, from the top object down.
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
                .type,
                "\(description.name) takes \(description.types[type].parameterCount) arguments")
        }
        _ = try object(of: type, parameters, on: 0, creator: nil, parent: nil)
    }

    /// How many bytes of the input have been taken.
    public var bytesTaken: Int { min(streams[0].position, streams[0].end) }

    /// The type of an object, `a::b`.
    public func typeName(of object: ObjectID) -> String {
        description.types[objects[object.index].type].path.joined(separator: "::")
    }

    /// Names of the fields of an object that have been read, in their order, without computed ones.
    public func fieldNames(of object: ObjectID) -> [String] {
        let model = description.types[objects[object.index].type]
        return model.sequence.filter { model.fields[$0].isNamed }.map { model.fields[$0].id }
    }

    /// Names of the instances of an object.
    public func instanceNames(of object: ObjectID) -> [String] {
        let model = description.types[objects[object.index].type]
        return model.instances.map { model.fields[$0].id }
    }

    /// A field of an object with its value.
    public struct Member: Sendable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: KaitaiValue
        /// Where it is, as `range(of:in:)` has it.
        public let range: Range<Int>?
        /// Whether it is an instance.
        public let isComputed: Bool
    }

    /// The fields of an object that have a value, in their order, then its instances, which are
    /// computed now.
    ///
    /// An instance that fails is not there: nothing in the bytes depends on it.
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
            members.append(
                Member(
                    name: description.types[record.type].fields[slot].id, value: value,
                    range: range(ofSlot: record.base + slot),
                    isComputed: slot >= instances.lowerBound
                ))
        }
        return members
    }

    /// The value of a field or an instance, which is computed when it is asked for.
    public mutating func value(
        of name: String, in object: ObjectID
    ) throws(KaitaiError) -> KaitaiValue {
        guard let slot = description.types[objects[object.index].type].slots[name] else {
            throw KaitaiError(.type, "\(typeName(of: object)) has no field \"\(name)\"")
        }
        return try value(slot, of: object.index)
    }

    /// Where in the input a field is; `nil` if it has not been read, or is not part of the input.
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

    /// Where in the input an object is; `nil` if it is not part of it.
    public func range(of object: ObjectID) -> Range<Int>? {
        let record = objects[object.index]
        return streams[record.stream].isInput && record.end >= record.start
            ? record.start..<record.end : nil
    }
}
