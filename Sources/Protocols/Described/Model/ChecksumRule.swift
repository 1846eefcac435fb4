import Wire

/// A rule that says of which bytes a number is a checksum.
struct ChecksumRule: Sendable {
    /// The bytes that a checksum covers, in this order.
    enum Extent: Sendable {
        /// The bytes of the same type before the number.
        case before
        /// The bytes of the same type after the number.
        case after
        /// All bytes of the same type, with the number as zeros.
        case all
        /// The bytes of fields, each a path starting at the same type.
        case fields([[String]])
    }

    var kind: ChecksumKind
    var extent: Extent
    /// The extent as it was written.
    var text: String
}

/// A number read that is a checksum of other fields.
struct ReadChecksum: Sendable {
    var slot: Int
    var object: Int
}

extension KaitaiReading {
    /// Returns a message about the first checksum that does not match its bytes.
    ///
    /// - Returns: The path of the field and both numbers; `nil` if all checksums are right.
    public mutating func wrongChecksum() -> String? {
        let streams = streams
        for found in checksums {
            let field = description.types[objects[found.object].type].fields[found.slot]
            guard let rule = field.checksum,
                case .integer(let number) = slots[objects[found.object].base + found.slot].value
            else { continue }
            do throws(KaitaiError) {
                let sum = try checksum(found) { streams[$0].bytes }
                guard let sum, Int128(sum) != number else { continue }
                let (given, wanted) = (
                    String(number, radix: 16), String(sum, radix: 16)
                )
                return
                    "\(field.id): it is 0x\(given), and \(rule.kind.rawValue) of \(rule.text) is 0x\(wanted)"
            } catch {
                return "\(field.id): \(error.description)"
            }
        }
        return nil
    }

    /// Returns the right value of a checksum; `nil` if the fields that it covers are absent.
    ///
    /// - Parameter bytes: The bytes of a stream.
    mutating func checksum(
        _ found: ReadChecksum, bytes: (Int) -> [UInt8]
    ) throws(KaitaiError) -> UInt32? {
        let record = objects[found.object]
        let own = slots[record.base + found.slot]
        guard let rule = description.types[record.type].fields[found.slot].checksum else {
            return nil
        }
        var content: [UInt8] = []
        switch rule.extent {
        case .before: content = part(record.start..<own.start, of: bytes(record.stream))
        case .after: content = part(own.end..<record.end, of: bytes(record.stream))
        case .all:
            content =
                part(record.start..<own.start, of: bytes(record.stream))
                + Array(repeating: 0, count: own.end - own.start)
                + part(own.end..<record.end, of: bytes(record.stream))
        case .fields(let paths):
            // A byte that several bit fields share belongs to the first of them.
            for path in paths {
                guard let slot = try place(path, from: found.object) else { continue }
                content += part(
                    slot.start..<max(slot.start, slot.end), of: bytes(Int(slot.stream)))
            }
        }
        try takeBytes(content.count)
        return rule.kind.value(of: content)
    }

    private func part(_ range: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
        Array(bytes[range.clamped(to: bytes.indices)])
    }

    /// Returns the slot of a field; `nil` if the field is absent.
    private func place(_ path: [String], from object: Int) throws(KaitaiError) -> Slot? {
        var object = object
        for name in path.dropLast() {
            let next: Int?
            switch name {
            case "_parent": next = objects[object].parent
            case "_root": next = objects[object].root
            default:
                guard let slot = description.types[objects[object].type].slots[name] else {
                    throw missing(path)
                }
                if case .object(let id) = slots[objects[object].base + slot].value {
                    next = id.index
                } else {
                    next = nil
                }
            }
            guard let next else { return nil }
            object = next
        }
        let model = description.types[objects[object].type]
        guard let slot = path.last.flatMap({ model.slots[$0] }), model.sequence.contains(slot)
        else {
            throw missing(path)
        }
        let found = slots[objects[object].base + slot]
        return found.state == .read && found.value != .none ? found : nil
    }

    private func missing(_ path: [String]) -> KaitaiError {
        KaitaiError(
            code: .type, what: "there is no field \(path.joined(separator: ".")) for the checksum")
    }
}
