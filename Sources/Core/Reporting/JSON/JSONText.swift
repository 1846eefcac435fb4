import FoundationEssentials

/// Conversion between values and JSON, always in the same form.
enum JSONText {
    /// Returns JSON in several lines, with sorted keys and each list of numbers on one line.
    static func pretty(_ value: some Encodable) throws -> [UInt8] {
        joiningNumbers(
            in: try encoded(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]))
    }

    /// Removes the line ends from lists of numbers.
    ///
    /// Otherwise a message in thousands of frames would have one line for each frame.
    private static func joiningNumbers(in bytes: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(bytes.count)
        var (place, isInText) = (0, false)
        while place < bytes.count {
            let byte = bytes[place]
            joined.append(byte)
            place += 1
            if isInText {
                if byte == UInt8(ascii: "\\"), place < bytes.count {
                    joined.append(bytes[place])
                    place += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInText = true
            } else if byte == UInt8(ascii: "["),
                let end = bytes[place...].firstIndex(where: { !isOfNumbers($0) }),
                bytes[end] == UInt8(ascii: "]")
            {
                for byte in bytes[place..<end] where byte > UInt8(ascii: " ") {
                    joined.append(byte)
                    if byte == UInt8(ascii: ",") { joined.append(UInt8(ascii: " ")) }
                }
                place = end
            }
        }
        return joined
    }

    /// Returns whether a byte may be in a list of numbers.
    private static func isOfNumbers(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: ","),
            UInt8(ascii: " "), UInt8(ascii: "\n"):
            true
        default: false
        }
    }

    /// Returns JSON in one line, with sorted keys.
    static func line(_ value: some Encodable) throws -> [UInt8] {
        try encoded(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Returns the value of a JSON text; a number that is out of range is an error, see
    /// `StoredNumbers`.
    static func decoded<Decoded: Decodable>(
        _ type: Decoded.Type, from bytes: some Sequence<UInt8>
    ) throws -> Decoded {
        let bytes = Array(bytes)
        if let line = StoredNumbers.firstOutOfRange(in: bytes) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [],
                    debugDescription: "has a number that is out of range, in line \(line)"))
        }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "infinite", negativeInfinity: "-infinite", nan: "not a number")
        return try decoder.decode(type, from: Data(bytes))
    }

    private static func encoded(
        _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
    ) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinite", negativeInfinity: "-infinite", nan: "not a number")
        return Array(try encoder.encode(value))
    }

    /// Returns why bytes are not one JSON object, as far as this is visible without decoding: they
    /// are empty, of another format, or truncated; `nil` otherwise.
    static func flaw(of bytes: [UInt8]) -> String? {
        let blanks = Array(" \t\r\n".utf8)
        guard let first = bytes.first(where: { !blanks.contains($0) }) else {
            return bytes.isEmpty ? "it is empty" : "it contains only white space"
        }
        guard first == UInt8(ascii: "{") else {
            let isXML = first == UInt8(ascii: "<")
            return isXML ? "it is XML or HTML, not JSON" : "it is not JSON"
        }
        var (depth, isInText, isEscaped) = (0, false, false)
        for byte in bytes {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return depth > 0 || isInText ? "it is cut off after \(bytes.count) bytes" : nil
    }

    /// Returns the error of a document in one sentence.
    static func complaint(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it is not JSON" }
        let (path, text): ([any CodingKey], String) =
            switch error {
            case .keyNotFound(let key, let context):
                (context.codingPath, "has no \(key.stringValue)")
            case .typeMismatch(_, let context): (context.codingPath, "has a wrong type")
            case .valueNotFound(_, let context): (context.codingPath, "is null")
            case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
            @unknown default: ([], "cannot be read")
            }
        let place = path.map(\.stringValue).joined(separator: ".")
        return place.isEmpty ? "it \(text)" : "\(place): \(text)"
    }
}
