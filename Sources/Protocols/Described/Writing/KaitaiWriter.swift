extension KaitaiDescription {
    /// Returns the bytes of an object of the top type.
    ///
    /// Omitted fields are filled in: constants, and lengths and counts that follow from the rest.
    /// Given fields are written unchanged.
    ///
    /// - Parameters:
    ///   - content: The fields.
    ///   - parameters: The arguments of the top type.
    ///   - isStrict: Whether values that the description forbids are errors; otherwise only
    ///     values that no bytes can represent are errors.
    ///   - ignoresInstances: Whether values of instances, which follow from the fields, are passed
    ///     over; otherwise they are errors. An object that was read has them.
    ///   - limits: Limits for the cost of writing.
    /// - Throws: An error with the field that is missing or cannot be written.
    public func encode(
        _ content: KaitaiContent, parameters: [KaitaiValue] = [], isStrict: Bool = true,
        ignoresInstances: Bool = false, limits: KaitaiLimits = KaitaiLimits()
    ) throws(KaitaiError) -> [UInt8] {
        var guesses: [String: Int128] = [:]
        var previous: [[UInt8]] = []
        // Lengths may depend on one another, and expressions on what has been written before.
        for _ in 0..<KaitaiWriter.passes {
            var writer = KaitaiWriter(
                self, guesses: guesses, previous: previous, limits: limits)
            writer.ignoresInstances = ignoresInstances
            var failure: KaitaiError?
            do throws(KaitaiError) {
                try writer.writeTop(content, parameters)
                try writer.deriveChecksums()
            } catch {
                failure = error
            }
            let outputs = writer.outputs.map(\.bytes)
            let isSettled = outputs == previous && guesses == writer.derived
            if let failure, isSettled { throw failure }
            if isSettled, let root = outputs.first {
                if isStrict, let violation = writer.violation { throw violation }
                return root
            }
            guesses = writer.derived
            previous = outputs
        }
        throw KaitaiError(code: .limit, what: "the lengths do not settle")
    }
}

/// Writes an object once, with lengths as far as they are known.
///
/// The objects that it writes are objects of a reading, so that expressions see them as they do
/// when bytes are read.
struct KaitaiWriter {
    /// How often an object is written at most until its lengths fit.
    static let passes = 12

    var model: KaitaiReading
    var outputs: [OutputBytes] = []
    /// Lengths and counts that follow from the output.
    var derived: [String: Int128]
    /// Whether values of instances are passed over.
    var ignoresInstances = false
    /// The first value that the description forbids.
    private(set) var violation: KaitaiError?
    /// The path of fields from the top object to the one that is being written.
    private var fieldPath: [String] = []
    let previous: [[UInt8]]
    private let guesses: [String: Int128]
    /// The paths of omitted fields, by their slots.
    private var open: [Int: String] = [:]
    private var solved: Set<String> = []
    /// The omitted checksum fields, with their paths.
    private var openChecksums: [(field: ReadChecksum, name: String)] = []
    /// The paths of omitted fields, by the objects that are their numbers.
    private var openNumbers: [Int: String] = [:]

    init(
        _ description: KaitaiDescription, guesses: [String: Int128], previous: [[UInt8]],
        limits: KaitaiLimits
    ) {
        model = KaitaiReading(previous.first ?? [], by: description, limits: limits)
        outputs = [OutputBytes()]
        derived = guesses
        self.guesses = guesses
        self.previous = previous
    }

    private var description: KaitaiDescription { model.description }

    mutating func writeTop(
        _ content: KaitaiContent, _ parameters: [KaitaiValue]
    ) throws(KaitaiError) {
        let type = description.top
        guard parameters.count == description.types[type].parameterCount else {
            throw KaitaiError(code: .type, what: "\(description.name) needs its parameters")
        }
        _ = try object(of: type, parameters, content, on: 0, creator: nil, parent: nil, path: "")
        outputs[0].align()
    }

    /// Writes the fields of an object.
    mutating func object(
        of type: TypeID, _ arguments: [KaitaiValue], _ content: KaitaiContent, on stream: Int,
        creator: Int?, parent: Int?, path: String
    ) throws(KaitaiError) -> Int {
        guard case .object(let fields) = content.kind else {
            throw KaitaiError(code: .type, what: "an object is needed")
        }
        try model.enter()
        defer { model.leave() }
        let index = model.make(type, arguments, on: stream, creator: creator, parent: parent)
        try model.decideOrder(of: index, creator: creator)
        try refuseUnknown(fields, type)
        for slot in description.types[type].sequence {
            let id = description.types[type].fields[slot].id
            fieldPath.append(id)
            do throws(KaitaiError) {
                try field(slot, fields[id], of: index, on: stream, path: "\(path).\(id)")
            } catch {
                var error = error
                if error.path.isEmpty { error.path = fieldPath }
                throw error
            }
            fieldPath.removeLast()
        }
        model.objects[index].end = model.streams[stream].position
        return index
    }

    private func refuseUnknown(
        _ fields: [String: KaitaiContent], _ type: TypeID
    ) throws(KaitaiError) {
        let model = description.types[type]
        for name in fields.keys.sorted()
        where !model.sequence.contains(where: { model.fields[$0].id == name }) {
            if ignoresInstances, model.fields.contains(where: { $0.id == name }) { continue }
            throw KaitaiError(
                code: .type, what: "\(model.name) has no field \"\(name)\" that can be written")
        }
    }

    private mutating func field(
        _ slot: Int, _ content: KaitaiContent?, of object: Int, on stream: Int, path: String
    ) throws(KaitaiError) {
        let field = description.types[model.objects[object].type].fields[slot]
        let place = model.objects[object].base + slot
        var frame = Frame(object: object)
        defer { model.slots[place].state = .read }
        if try !model.holds(field.condition, frame) {
            guard let content, content.kind != .none else { return }
            report(KaitaiError(code: .expression, what: "it is given, but its condition is false"))
        } else if let content, content.kind == .none, !field.type.mayBeAbsent {
            report(KaitaiError(code: .null, what: "it is not given, but its condition holds"))
            return
        }
        model.slots[place].state = .inProgress
        model.slots[place].stream = Int32(clamping: stream)
        model.slots[place].start = outputs[stream].bytes.count
        defer { model.slots[place].end = outputs[stream].bytes.count }
        if case .once = field.repetition {
            var content = content ?? .value(.none)
            if content.kind == .value(.none) {
                content = try missing(field, place, frame, path: path)
                if field.checksum != nil {
                    openChecksums.append((ReadChecksum(slot: slot, object: object), path))
                }
            }
            if let last = content.lastByte { outputs[stream].lastByte = last }
            let value = try value(
                of: field.type, content, field, slot, frame, on: stream, path: path)
            model.slots[place].value = value
            frame.item = value
            check(field, frame)
        } else {
            try elements(slot, field, content, object, on: stream, path: path)
        }
    }

    /// Computes the omitted checksums from the output, for the next pass.
    mutating func deriveChecksums() throws(KaitaiError) {
        let outputs = outputs
        for (field, name) in openChecksums {
            let sum = try model.checksum(field) { outputs[$0].bytes }
            if let sum { derived[name] = Int128(sum) }
        }
    }

    private mutating func check(_ field: Field, _ frame: Frame) {
        guard let validity = field.validity else { return }
        do throws(KaitaiError) {
            try model.check(validity, frame, field)
        } catch {
            report(error)
        }
    }

    /// Records the first value that the description forbids.
    mutating func report(_ error: KaitaiError) {
        guard violation == nil else { return }
        violation = error
        violation?.path = fieldPath
    }

    private mutating func elements(
        _ slot: Int, _ field: Field, _ content: KaitaiContent?, _ object: Int, on stream: Int,
        path: String
    ) throws(KaitaiError) {
        let place = model.objects[object].base + slot
        var given: [KaitaiContent] = []
        switch content?.kind {
        case .array(let elements): given = elements
        case nil, .some(.none): break
        default: throw KaitaiError(code: .type, what: "an array is needed")
        }
        var frame = Frame(object: object)
        if case .count(let id) = field.repetition {
            try demand(id, Int128(given.count), frame, "elements")
        }
        model.slots[place].value = .array([])
        for (index, element) in given.enumerated() {
            frame.index = index
            if let last = content?.lastByte { outputs[stream].lastByte = last }
            let value = try value(
                of: field.type, element, field, slot, frame, on: stream, path: "\(path).\(index)")
            model.append(value, to: place)
            frame.item = value
            check(field, frame)
            if case .until(let id) = field.repetition,
                try model.holds(id, frame) != (index == given.count - 1)
            {
                report(
                    KaitaiError(code: .expression, what: "repeat-until ends the array elsewhere"))
            }
        }
    }

    /// Returns the content of an omitted field: a constant, or a number that follows from the rest.
    private mutating func missing(
        _ field: Field, _ place: Int, _ frame: Frame, path: String
    ) throws(KaitaiError) -> KaitaiContent {
        if case .equal(let id)? = field.validity { return .value(try model.evaluate(id, frame)) }
        switch field.type {
        case .integer, .bits:
            open[place] = path
            return .value(.integer(guesses[path] ?? 0))
        case .object(let type, _, _) where description.types[type].varint != nil:
            open[place] = path
            return .value(.integer(guesses[path] ?? 0))
        case .object(let type, _, _) where description.types[type].sequenceCount > 0:
            // Its own fields may all be known.
            return .object([:])
        default: throw KaitaiError(code: .null, what: "it is not given")
        }
    }

    /// Writes a number in as few groups of 7 bits as it needs, in the order of its type.
    mutating func varint(
        _ number: Int128, _ type: TypeID, _ order: ByteOrder, of field: Int, on stream: Int,
        creator: Int
    ) throws(KaitaiError) -> Int {
        var rest = try KaitaiWriter.bits(number, count: 64, isSigned: false)
        var groups: [UInt8] = []
        repeat {
            groups.append(UInt8(rest & 0x7F))
            rest >>= 7
        } while rest > 0
        if order == .big { groups.reverse() }
        for index in groups.indices.dropLast() { groups[index] |= 0x80 }
        let index = model.make(type, [], on: stream, creator: creator, parent: creator)
        if let slot = description.types[type].slots["value"] {
            model.slots[model.objects[index].base + slot].value = .integer(number)
            model.slots[model.objects[index].base + slot].state = .read
        }
        openNumbers[index] = open[field]
        outputs[stream].append(groups)
        return index
    }

    /// Checks that an expression has a value, or solves it for an omitted field.
    ///
    /// If the value depends on an omitted field, the field gets the right value in the next pass.
    mutating func demand(
        _ id: ExpressionID, _ number: Int128, _ frame: Frame, _ unit: String
    ) throws(KaitaiError) {
        if try solve(description.expressions[id], number, frame, depth: 0) { return }
        let found = try model.integer(id, frame)
        guard found != number else { return }
        report(
            KaitaiError(
                code: .notEqual,
                what: "there are \(number) \(unit), but \(description.sources[id].text) is \(found)"
            ))
    }
}

extension KaitaiWriter {
    /// Finds the omitted field that an expression depends on, and derives its value.
    private mutating func solve(
        _ expression: Expression, _ target: Int128, _ frame: Frame, depth: Int
    ) throws(KaitaiError) -> Bool {
        guard depth < KaitaiLimits.expressionDepth else { return false }
        switch expression {
        case .slot(let slot): return try solve(slot, of: frame.object, target, depth: depth)
        case .field(let base, let name, _, _):
            guard case .object(let id)? = try? model.evaluate(base, frame),
                let slot = description.types[model.objects[id.index].type].slots[name]
            else { return false }
            return try solve(slot, of: id.index, target, depth: depth)
        case .method(.toInteger, let base, _):
            return try solve(base, target, frame, depth: depth + 1)
        case .conditional(let condition, let first, let second):
            guard case .bool(let flag)? = try? model.evaluate(condition, frame) else {
                return false
            }
            return try solve(flag ? first : second, target, frame, depth: depth + 1)
        case .binary(let symbol, let left, let right):
            if case .integer(let number)? = try? model.evaluate(right, frame),
                let inner = Inversion.left(symbol, target, number),
                try solve(left, inner, frame, depth: depth + 1)
            {
                return true
            }
            if case .integer(let number)? = try? model.evaluate(left, frame),
                let inner = Inversion.right(symbol, target, number)
            {
                return try solve(right, inner, frame, depth: depth + 1)
            }
            return false
        default: return false
        }
    }

    private mutating func solve(
        _ slot: Int, of object: Int, _ target: Int128, depth: Int
    ) throws(KaitaiError) -> Bool {
        let place = model.objects[object].base + slot
        let field = description.types[model.objects[object].type].fields[slot]
        if let name = open[place] ?? (field.id == "value" ? openNumbers[object] : nil) {
            if !solved.insert(name).inserted, derived[name] != target {
                throw KaitaiError(
                    code: .notEqual,
                    what: "\(name.dropFirst()) would have to be \(derived[name] ?? 0) and \(target)"
                )
            }
            derived[name] = target
            return true
        }
        guard case .computed(let id) = field.type, field.enumeration == nil else { return false }
        return try solve(
            description.expressions[id], target, Frame(object: object), depth: depth + 1)
    }
}

/// The inverses of operators.
enum Inversion {
    /// Returns the left operand from the right one and the result.
    static func left(_ symbol: BinaryOperator, _ result: Int128, _ right: Int128) -> Int128? {
        switch symbol {
        case .add: return checked(result.subtractingReportingOverflow(right))
        case .subtract: return checked(result.addingReportingOverflow(right))
        case .multiply: return right != 0 && result % right == 0 ? result / right : nil
        case .divide: return checked(result.multipliedReportingOverflow(by: right))
        case .shiftLeft:
            guard (0...64).contains(right), (result >> right) << right == result else { return nil }
            return result >> right
        case .shiftRight:
            guard (0...32).contains(right), result.magnitude < 1 << 64 else { return nil }
            return result << right
        default: return nil
        }
    }

    /// Returns the right operand from the left one and the result.
    static func right(_ symbol: BinaryOperator, _ result: Int128, _ left: Int128) -> Int128? {
        switch symbol {
        case .add, .multiply: return Inversion.left(symbol, result, left)
        case .subtract: return checked(left.subtractingReportingOverflow(result))
        default: return nil
        }
    }

    private static func checked(_ outcome: (partialValue: Int128, overflow: Bool)) -> Int128? {
        outcome.overflow ? nil : outcome.partialValue
    }
}
