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
    var fillings: Fillings?

    /// Bytes and bits that are no part of a value.
    struct Fillings: Sendable {
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
        fillings = keepsFillings ? Fillings() : nil
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
        let field = slots[record.base + slot]
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
