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
    ///
    /// Bytes that are not text of the encoding become U+FFFD, as Wireshark shows them: a name in
    /// another encoding does not make a message unreadable.
    static func decode(_ bytes: [UInt8], from name: String) throws(KaitaiError) -> String {
        switch name {
        case "ASCII":
            String(
                String.UnicodeScalarView(
                    bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : replacement }))
        case "UTF-8": String(decoding: bytes, as: UTF8.self)
        case "ISO-8859-1": String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default:
            String(
                decoding: try convert(bytes, from: name, to: "UTF-8", isReplacing: true).result,
                as: UTF8.self)
        }
    }

    /// What stands for bytes that are not text.
    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// Returns the bytes of a text.
    static func encode(_ text: String, as name: String) throws(KaitaiError) -> [UInt8] {
        let bytes = Array(text.utf8)
        switch name {
        case "UTF-8": return bytes
        case "ASCII" where bytes.allSatisfy({ $0 < 0x80 }): return bytes
        default:
            let (result, isWhole) = try convert(
                bytes, from: "UTF-8", to: name, isReplacing: false)
            if isWhole { return result }
            throw KaitaiError(code: .encoding, what: "this text cannot be written in \(name)")
        }
    }

    /// Converts bytes with iconv.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - source: Their encoding.
    ///   - target: The encoding of the result.
    ///   - isReplacing: Whether the result, in UTF-8, has U+FFFD for each unit that cannot be
    ///     converted. Otherwise it ends before it.
    /// - Returns: The result, and whether all bytes could be converted.
    private static func convert(
        _ bytes: [UInt8], from source: String, to target: String, isReplacing: Bool
    ) throws(KaitaiError) -> (result: [UInt8], isWhole: Bool) {
        guard let converter = iconv_open(target, source), converter != iconv_t(bitPattern: -1)
        else {
            throw KaitaiError(
                code: .unsupported,
                what: "the encoding \(source == "UTF-8" ? target : source) is not known")
        }
        defer { iconv_close(converter) }
        let mark = Array(replacement.utf8)
        // Four bytes hold any character of any encoding; escape sequences need some more.
        var output = [UInt8](repeating: 0, count: bytes.count * 4 + 16)
        var input = bytes.map { CChar(bitPattern: $0) }
        var (room, left, isWhole) = (output.count, input.count, true)
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBytes { output in
                var from = input.baseAddress
                var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                while true {
                    _ = iconv(converter, &from, &left, &to, &room)
                    if left == 0 { return }
                    isWhole = false
                    guard isReplacing, room >= mark.count else { return }
                    output.baseAddress?.advanced(by: output.count - room)
                        .copyMemory(from: mark, byteCount: mark.count)
                    (to, room) = (to?.advanced(by: mark.count), room - mark.count)
                    let skipped = min(unit(of: source), left)
                    (from, left) = (from?.advanced(by: skipped), left - skipped)
                }
            }
        }
        return (Array(output.prefix(output.count - room)), isWhole)
    }
}
