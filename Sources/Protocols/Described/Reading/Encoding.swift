import Glibc

/// The encodings of text.
enum Encoding {
    /// The names as descriptions write them.
    static let names: Set<String> = {
        var names: Set<String> = [
            "ASCII", "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "IBM437", "IBM866",
            "Shift_JIS", "Big5", "EUC-KR",
        ]
        for part in 1...16 where part != 12 { names.insert("ISO-8859-\(part)") }
        for page in 1250...1258 { names.insert("windows-\(page)") }
        return names
    }()

    private static let aliases: [String: String] = {
        var aliases = Dictionary(uniqueKeysWithValues: names.map { (plain($0), $0) })
        for (alias, name) in [
            ("usascii", "ASCII"), ("sjis", "Shift_JIS"), ("cp437", "IBM437"), ("cp866", "IBM866"),
            ("utf16", "UTF-16LE"), ("utf32", "UTF-32LE"),
        ] { aliases[alias] = name }
        for part in 1...10 { aliases["latin\(part)"] = "ISO-8859-\(part)" }
        for page in 1250...1258 { aliases["cp\(page)"] = "windows-\(page)" }
        return aliases
    }()

    private static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// Returns the name of an encoding as descriptions write it; an unknown name is unchanged.
    static func canonicalName(_ name: String) -> String {
        aliases[plain(name)] ?? name
    }

    /// Returns the size of an encoding's smallest unit in bytes.
    static func unit(of name: String) -> Int {
        name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
    }

    /// Returns the text that the bytes encode.
    static func decode(_ bytes: [UInt8], from name: String) throws(KaitaiError) -> String {
        let text: String?
        switch name {
        case "ASCII":
            text = bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
        case "UTF-8": text = String(validating: bytes, as: UTF8.self)
        case "ISO-8859-1":
            text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default:
            text = try convert(bytes, from: name, to: "UTF-8").flatMap {
                String(validating: $0, as: UTF8.self)
            }
        }
        guard let text else { throw KaitaiError(.encoding, "these bytes are not \(name)") }
        return text
    }

    /// Returns the bytes of a text.
    static func encode(_ text: String, as name: String) throws(KaitaiError) -> [UInt8] {
        let bytes = Array(text.utf8)
        switch name {
        case "UTF-8": return bytes
        case "ASCII" where bytes.allSatisfy({ $0 < 0x80 }): return bytes
        default:
            if let result = try convert(bytes, from: "UTF-8", to: name) { return result }
            throw KaitaiError(.encoding, "this text cannot be written in \(name)")
        }
    }

    /// Converts bytes with iconv; `nil` if the bytes cannot be converted.
    private static func convert(
        _ bytes: [UInt8], from source: String, to target: String
    ) throws(KaitaiError) -> [UInt8]? {
        guard let converter = iconv_open(target, source), converter != iconv_t(bitPattern: -1)
        else {
            throw KaitaiError(
                .unsupported, "the encoding \(source == "UTF-8" ? target : source) is not known")
        }
        defer { iconv_close(converter) }
        // Four bytes hold any character of any encoding; escape sequences need some more.
        var output = [UInt8](repeating: 0, count: bytes.count * 4 + 16)
        var input = bytes.map { CChar(bitPattern: $0) }
        var left = output.count
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBytes { output in
                var from: UnsafeMutablePointer<CChar>? = input.baseAddress
                var fromLeft = input.count
                var to: UnsafeMutablePointer<CChar>? =
                    output.baseAddress?.assumingMemoryBound(to: CChar.self)
                return iconv(converter, &from, &fromLeft, &to, &left)
            }
        }
        guard status != Int.max, status != -1 else { return nil }
        return Array(output.prefix(output.count - left))
    }
}
