import Suites

extension YAMLMappingReader {
    /// A program with its arguments; one text is a program without arguments.
    ///
    /// - Parameter takesArguments: Whether `${arguments}` and `${arguments.NAME}` may be used.
    mutating func command(_ key: String, takesArguments: Bool = false) -> [String]? {
        guard let texts = texts(key) else { return nil }
        for (text, position) in texts {
            findings.checkPlaceholders(text, at: position, takesArguments: takesArguments)
        }
        guard let program = texts.first, !program.text.isEmpty else {
            findings.report(
                "bad-value", "\"\(key)\" names no program", at: entry(key)?.value.position)
            return nil
        }
        return texts.map(\.text)
    }

    /// The number of a signal, written as `TERM` or `SIGTERM`.
    mutating func signal(_ key: String) -> Int32? {
        guard let entry = entry(key), let name = text(key) else { return nil }
        if let number = SignalName.number(of: name) { return number }
        let names = SignalName.all.map { String($0.name.dropFirst(3)) }
        findings.report(
            "bad-value", "there is no signal \"\(name)\"", at: entry.value.position,
            advice: Suggestion.advice(for: name, in: names))
        return nil
    }

    /// An amount of bytes, a number or `64MiB`.
    mutating func bytes(_ key: String) -> Int? {
        guard let node = node(key) else { return nil }
        if case .scalar(.integer(let number)) = node.content, number > 0 {
            return Int(clamping: number)
        }
        if let count = node.string.flatMap(ByteCount.parse) { return count }
        findings.report(
            "bad-value", "\"\(key)\" is an amount of bytes", at: node.position,
            advice: ByteCount.advice)
        return nil
    }
}

extension Findings {
    /// Reports placeholders that no case can fill.
    func checkPlaceholders(
        _ text: String, at position: SourcePosition, takesArguments: Bool = false
    ) {
        guard let template = PlaceholderText(text) else {
            report(
                "bad-value", "\"${\" without \"}\"", at: position,
                advice: "write $${ for the characters themselves")
            return
        }
        let known = Placeholders.common + (takesArguments ? ["arguments"] : [])
        for name in template.names {
            let isOfPeer = name.hasSuffix(".host") || name.hasSuffix(".port")
            let isArgument = takesArguments && name.hasPrefix("arguments.")
            guard !known.contains(name), !isOfPeer, !isArgument else { continue }
            report(
                "unknown-placeholder", "there is no ${\(name)}", at: position,
                advice: Suggestion.advice(for: name, in: known + ["<peer>.host", "<peer>.port"]))
        }
    }
}
