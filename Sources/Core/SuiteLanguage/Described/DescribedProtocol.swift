import Kaitai
import Wire

/// A protocol that a suite describes itself by a `.ksy` file.
public final class DescribedProtocol: StreamDescription, Hashable, CustomDebugStringConvertible {
    /// The path of the `.ksy` file.
    public let path: String
    let description: KaitaiDescription

    /// Limits for reading one message.
    ///
    /// Messages of a stream are small. What exceeds these limits is not a message.
    private static let limits: KaitaiLimits = {
        var limits = KaitaiLimits()
        limits.objects = 1 << 15
        limits.elements = 1 << 16
        limits.steps = 1_000_000
        limits.bytesRead = 16 << 20
        limits.bytesProduced = 16 << 20
        return limits
    }()

    init(path: String, description: KaitaiDescription) {
        self.path = path
        self.description = description
    }

    /// The result of reading bytes.
    enum Reading {
        case complete(KaitaiReading)
        case other(StreamDissection)
    }

    /// Reads one message.
    func read(_ bytes: [UInt8]) -> Reading {
        var reading = KaitaiReading(bytes, by: description, limits: Self.limits)
        do throws(KaitaiError) {
            try reading.read()
        } catch {
            if error.isIncomplete {
                return .other(
                    .incomplete(atLeast: max(error.bytesNeeded ?? 0, bytes.count + 1)))
            }
            return .other(.malformed(error.description))
        }
        return .complete(reading)
    }

    /// Returns the fields of a message.
    public func dissect(_ bytes: [UInt8], isWhole: Bool) -> StreamDissection {
        switch read(bytes) {
        case .other(let outcome): return outcome
        case .complete(var reading):
            if let wrong = reading.wrongChecksum() {
                return .refused(wrong, count: reading.bytesTaken)
            }
            let (value, places) = Self.fields(of: reading, under: "fields")
            return .message(DescribedFields(value, places: places), count: reading.bytesTaken)
        }
    }

    /// Returns the fields that were read and their places.
    ///
    /// - Parameter path: The prefix of the paths of these fields.
    static func fields(
        of reading: KaitaiReading, under path: String
    ) -> (value: Value, places: [DescribedFields.Place]) {
        var collector = FieldCollector(reading: reading)
        let value = collector.fields(under: path)
        return (value, collector.places)
    }

    /// Returns the bytes of a message.
    ///
    /// - Parameters:
    ///   - fields: Its fields, an object. Lengths, counts and constants may be missing.
    ///   - ignoresInstances: Whether values that follow from others are passed over, as an object
    ///     has them that was read and saved.
    /// - Throws: Which field is missing or does not fit.
    func encode(
        _ fields: Value, ignoresInstances: Bool = false
    ) throws(EvaluationError) -> [UInt8] {
        let content = try DescribedContent(description: description).content(fields, at: [])
        do throws(KaitaiError) {
            return try description.encode(
                content, isStrict: false, ignoresInstances: ignoresInstances, limits: Self.limits)
        } catch {
            throw EvaluationError(error.description)
        }
    }

    /// Returns a value that is neither an array nor an object, in the form that suites use.
    func value(_ value: KaitaiValue) -> Value? {
        switch value {
        case .bool(let flag): .bool(flag)
        case .integer(let number): FieldCollector.integer(number)
        case .string(let text): .string(text)
        case .bytes(let bytes): .bytes(bytes)
        case .enumerator(let number, let id):
            description.name(of: number, in: id).map(Value.string)
        default: nil
        }
    }

    /// The files and their hashes, so that two processes can check that they have read the same
    /// files.
    public var debugDescription: String {
        description.sourceFiles.map { "\($0.path) \($0.sha256.hexText)" }
            .joined(separator: ", ")
    }

    /// Whether both are the same instance, loaded once.
    public static func == (left: DescribedProtocol, right: DescribedProtocol) -> Bool {
        left === right
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// Converts what has been read into values.
private struct FieldCollector {
    var reading: KaitaiReading
    private(set) var places: [DescribedFields.Place] = []
    private var left = FieldCollector.valuesMax

    /// The maximum number of values of one message.
    ///
    /// A limit is needed because computed fields can produce new values without end.
    private static let valuesMax = 20_000
    /// The maximum nesting depth of objects.
    private static let depthMax = 24
    /// The maximum nesting depth of objects that are only computed.
    private static let computedDepthMax = 4

    init(reading: KaitaiReading) {
        self.reading = reading
    }

    mutating func fields(under path: String) -> Value {
        object(reading.root, path: path, depth: 0, computedDepth: 0)
    }

    private mutating func object(
        _ object: ObjectID, path: String, depth: Int, computedDepth: Int
    ) -> Value {
        var members: [Value.Member] = []
        guard depth < Self.depthMax else { return .object([]) }
        let found = reading.members(
            of: object, withInstances: computedDepth < Self.computedDepthMax)
        members.reserveCapacity(found.count)
        for member in found {
            let inner = path.isEmpty ? member.name : "\(path).\(member.name)"
            if let range = member.range { places.append(.init(inner, range)) }
            let extra = member.isComputed ? 1 : 0
            guard
                let value = value(
                    member.value, path: inner, depth: depth + 1,
                    computedDepth: computedDepth + extra)
            else { continue }
            members.append(Value.Member(member.name, value))
        }
        return .object(members)
    }

    private mutating func value(
        _ value: KaitaiValue, path: String, depth: Int, computedDepth: Int
    ) -> Value? {
        left -= 1
        guard left > 0 else { return nil }
        switch value {
        case .none, .stream: return nil
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return Self.integer(number)
        case .float(let number): return .double(number)
        case .string(let text): return .string(text)
        case .bytes(let bytes): return .bytes(bytes)
        case .enumerator(let number, let id):
            return reading.description.name(of: number, in: id).map(Value.string)
                ?? Self.integer(number)
        case .array(let elements):
            var values: [Value] = []
            for (index, element) in elements.enumerated() {
                let inner = "\(path)[\(index)]"
                if case .object(let id) = element, let place = reading.range(of: id) {
                    places.append(.init(inner, place))
                }
                guard
                    let made = self.value(
                        element, path: inner, depth: depth, computedDepth: computedDepth)
                else { return .array(values) }
                values.append(made)
            }
            return .array(values)
        case .object(let id):
            return object(id, path: path, depth: depth, computedDepth: computedDepth)
        }
    }

    /// Returns a number as a value; a number beyond 63 bits becomes text, so that it keeps its
    /// digits.
    static func integer(_ number: Int128) -> Value {
        Int64(exactly: number).map(Value.integer) ?? .string(String(number))
    }
}

/// Converts values of a suite into content that can be written.
private struct DescribedContent {
    let description: KaitaiDescription

    func content(_ value: Value, at path: [String]) throws(EvaluationError) -> KaitaiContent {
        switch value {
        case .null: return KaitaiContent(.none)
        case .bool(let flag): return .value(.bool(flag))
        case .integer(let number): return .value(.integer(Int128(number)))
        case .double(let number): return .value(.float(number))
        case .string(let text): return .value(.string(text))
        case .bytes(let bytes): return .value(.bytes(bytes))
        case .array(let elements):
            var made: [KaitaiContent] = []
            for element in elements { made.append(try content(element, at: path)) }
            return .array(made)
        case .object(let members):
            if let bytes = try bytes(members, at: path) { return .value(.bytes(bytes)) }
            var fields: [String: KaitaiContent] = [:]
            for member in members {
                fields[member.name] = try content(member.value, at: path + [member.name])
            }
            return .object(fields)
        }
    }

    /// Returns the bytes of `{hex: ...}` where the description has bytes.
    private func bytes(
        _ members: [Value.Member], at path: [String]
    ) throws(EvaluationError) -> [UInt8]? {
        guard members.count == 1, description.holdsBytes(at: path),
            description.fieldNames(at: path)?.contains(members[0].name) != true,
            let notation = ByteExpression.Notation(rawValue: members[0].name),
            let text = members[0].value.stringValue
        else { return nil }
        return try ByteExpression([.text(text)], notation).evaluate([:])
    }
}
