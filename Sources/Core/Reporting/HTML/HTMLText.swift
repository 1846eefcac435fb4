/// Text, escaped for HTML: without markup, control characters or changes of the reading direction.
enum HTMLText {
    /// How many characters of one text are shown.
    static let lengthMax = 2000

    /// Returns text for an element or a quoted attribute, on one line.
    static func plain(_ text: String, limit: Int = lengthMax) -> String {
        let text = cut(text, to: limit)
        return text.utf8.allSatisfy(isPlain) ? text : escaped(PlainText.line(text))
    }

    /// Returns a code element; its text is shown from left to right in any script.
    static func code(_ text: String, limit: Int = lengthMax) -> String {
        "<code dir=\"ltr\">\(plain(text, limit: limit))</code>"
    }

    /// Returns a line of a file, with its blanks.
    static func source(_ line: String) -> String {
        Columns.blanks(line.prefix { $0 == " " }.count) + plain(String(line.drop { $0 == " " }))
    }

    /// Returns a code element that readers copy; the script puts a button beside it.
    static func command(_ text: String) -> String {
        "<code class=\"copy\" dir=\"ltr\">\(plain(text))</code>"
    }

    /// Returns `text`, or its first characters and an ellipsis.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit, text.count > limit else { return text }
        return text.prefix(max(0, limit - 1)) + "…"
    }

    /// Returns the value of an `id` attribute, without blanks.
    static func identifier(_ text: String) -> String {
        escaped(withoutBlanks(PlainText.line(text)))
    }

    /// Returns a link to an element of this page by its identifier.
    static func fragment(_ text: String) -> String {
        "#" + encoded(withoutBlanks(PlainText.line(text)))
    }

    private static func withoutBlanks(_ line: String) -> String {
        guard line.utf8.allSatisfy({ $0 < 0x80 }) else {
            return String(line.map { $0.isWhitespace ? "_" : $0 })
        }
        let blanks = 0x09...0x0D as ClosedRange<UInt8>
        return String(
            decoding: line.utf8.map {
                $0 == UInt8(ascii: " ") || blanks.contains($0) ? UInt8(ascii: "_") : $0
            }, as: UTF8.self)
    }

    /// Returns a relative or absolute file path as the value of `href`.
    static func path(_ path: String) -> String {
        // A first component with a colon would be interpreted as a scheme.
        let isRelative = !path.hasPrefix("/") && !path.hasPrefix(".")
        return (isRelative && path.prefix { $0 != "/" }.contains(":") ? "./" : "") + encoded(path)
    }

    /// Returns the path of an address, in which other characters than those of names are encoded.
    static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += (byte < 0x10 ? "%0" : "%").utf8
                encoded += String(byte, radix: 16, uppercase: true).utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "="),
            UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): escaped += "&amp;".utf8
            case UInt8(ascii: "<"): escaped += "&lt;".utf8
            case UInt8(ascii: ">"): escaped += "&gt;".utf8
            case UInt8(ascii: "\""): escaped += "&quot;".utf8
            case UInt8(ascii: "'"): escaped += "&#39;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// Returns whether a byte is printable ASCII and not markup.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            false
        default: byte >= 0x20 && byte < 0x7F
        }
    }
}

extension NumberText {
    /// Returns a time relative to the start of a case: `+0.012 s`, or with microseconds if it is
    /// below a millisecond.
    static func offset(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "" }
        let magnitude = abs(seconds)
        let text =
            magnitude > 0 && magnitude < 0.001
            ? fixed(magnitude, digits: 6) : fixed(magnitude, digits: 3)
        return (seconds < 0 ? "−" : "+") + text + " s"
    }

    /// Returns a duration without a sign: `0.012 s`.
    static func length(_ seconds: Double) -> String { String(offset(abs(seconds)).dropFirst()) }

    /// Returns a number with the given number of decimals, in the C locale.
    static func fixed(_ number: Double, digits: Int) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "0" }
        let scale = (0..<digits).reduce(Int64(1)) { product, _ in product * 10 }
        let rounded = Int64((abs(number) * Double(scale)).rounded())
        let (whole, rest) = rounded.quotientAndRemainder(dividingBy: scale)
        let sign = number < 0 && rounded > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let fraction = String(rest)
        return "\(sign)\(whole)."
            + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// Returns a coordinate of a drawing with at most one decimal.
    static func coordinate(_ number: Double) -> String {
        let text = fixed(number, digits: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
