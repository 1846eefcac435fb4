import FoundationEssentials

/// Values to JSON and back, always in the same form.
enum JSONText {
    /// Several lines, sorted keys.
    static func pretty(_ value: some Encodable) throws -> [UInt8] {
        try encoded(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// One line, sorted keys.
    static func line(_ value: some Encodable) throws -> [UInt8] {
        try encoded(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Reads a value.
    static func decoded<Decoded: Decodable>(
        _ type: Decoded.Type, from bytes: some Sequence<UInt8>
    ) throws -> Decoded {
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

    /// What is wrong with a document, in one sentence.
    static func complaint(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it is not JSON" }
        let (path, text): ([any CodingKey], String) =
            switch error {
            case .keyNotFound(let key, let context):
                (context.codingPath, "has no \(key.stringValue)")
            case .typeMismatch(_, let context): (context.codingPath, "has another type")
            case .valueNotFound(_, let context): (context.codingPath, "is null")
            case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
            @unknown default: ([], "cannot be read")
            }
        let place = path.map(\.stringValue).joined(separator: ".")
        return place.isEmpty ? "it \(text)" : "\(place): \(text)"
    }
}
