import SuiteLanguage

extension YAMLMappingReader {
    /// Returns a program with its arguments; a single text is a program without arguments.
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

    /// Returns one of the words of an enumeration.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ key: String) -> Word? {
        word(key, of: Word.allCases.map(\.rawValue)).flatMap(Word.init)
    }

    /// Returns the variables under `env`.
    mutating func environment() -> [String: String] {
        var environment: [String: String] = [:]
        guard var reader = reader("env", subject: "environment", advice: "write env: {NAME: VALUE}")
        else { return [:] }
        for entry in reader.entries {
            guard let text = reader.text(entry.key) else { continue }
            findings.checkPlaceholders(text, at: entry.value.position)
            if entry.key.isEmpty || entry.key.contains("=") {
                findings.report(
                    "bad-value", "\"\(entry.key)\" is not a name of a variable",
                    at: entry.keyPosition)
            }
            environment[entry.key] = text
        }
        return environment
    }

    /// Returns the working directory under `cwd`; without the key, the folder of the profile.
    mutating func workingDirectory(in folder: String) -> String? {
        guard let entry = entry("cwd"), let text = text("cwd") else {
            return folder.isEmpty ? nil : folder
        }
        findings.checkPlaceholders(text, at: entry.value.position)
        return text.hasPrefix("/") || text.hasPrefix("${") ? text : folder + text
    }

    /// Returns how a program is ended.
    mutating func stop() -> DeviceProfile.Stop {
        var stop = DeviceProfile.Stop()
        guard var reader = reader("stop", as: ProfileVocabulary.stop) else { return stop }
        stop.signal = reader.signal("signal") ?? stop.signal
        stop.grace = reader.duration("grace") ?? stop.grace
        reader.finish()
        return stop
    }

    /// Returns the sign that a program is ready, and how long it may take; `nil` without the key.
    mutating func readiness(
        mayHaveTimeAlone: Bool = false
    ) -> (sign: DeviceProfile.Readiness, timeout: Duration?)? {
        guard let entry = entry("ready") else { return nil }
        if entry.value.string != nil {
            let word = word("ready", of: ["none", "firstPacket"])
            return (word == "firstPacket" ? .firstPacket : .none, nil)
        }
        guard var reader = reader("ready", as: ProfileVocabulary.readiness) else { return nil }
        let timeout = reader.duration("timeout")
        let line = reader.text("line")
        let port = reader.integer("port", in: 1...65535)
        let packet = reader.boolean("firstPacket")
        let given = ["line", "port", "firstPacket"].filter { reader.has($0) }
        reader.finish()
        guard given.count == 1 || (given.isEmpty && mayHaveTimeAlone) else {
            findings.report(
                "bad-value",
                "readiness is defined by one of \"line\", \"port\" and \"firstPacket\"",
                at: entry.value.position)
            return nil
        }
        if let line { return (.stdoutLine(line), timeout) }
        if let port { return (.portOpen(UInt16(clamping: port)), timeout) }
        return (packet == true ? .firstPacket : .none, timeout)
    }

    /// Returns the number of a signal, written as `TERM` or `SIGTERM`.
    mutating func signal(_ key: String) -> Int32? {
        guard let entry = entry(key) else { return nil }
        let name = entry.value.string ?? entry.value.value.suiteText
        if let number = SignalName.number(of: name) { return number }
        let names = SignalName.all.map { String($0.name.dropFirst(3)) }
        if let number = Int(name).flatMap({ Int32(exactly: $0) }),
            let signal = SignalName.name(of: number)
        {
            findings.report(
                "bad-value", "\"\(key)\" is the name of a signal, not its number",
                at: entry.value.position, advice: "write \(signal.dropFirst(3))")
            return nil
        }
        findings.report(
            "bad-value", "there is no signal \"\(name)\"", at: entry.value.position,
            advice: Suggestion.advice(for: name, in: names))
        return nil
    }

    /// Returns an amount of bytes, written as a number or `64MiB`.
    mutating func bytes(_ key: String) -> Int? {
        guard let node = node(key) else { return nil }
        if case .scalar(.integer(let number)) = node.content, number > 0 {
            return Int(clamping: number)
        }
        if let count = node.string.flatMap(ByteCount.parse) { return count }
        findings.report(
            "bad-value", "\"\(key)\" is an amount of bytes, not \(node.value.jsonText())",
            at: node.position,
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
        func advice(for name: String) -> String {
            let peer = name.lastIndex(of: ".").map { name[..<$0] }
            let ends = ["host", "port"].map { "\(peer ?? "<peer>").\($0)" }
            if let meant = Suggestion.closest(to: name, in: ends) {
                return "did you mean ${\(meant)}?"
            }
            return Suggestion.advice(for: name, in: known + ["<peer>.host", "<peer>.port"])
        }
        for name in template.names {
            let isOfPeer = name.hasSuffix(".host") || name.hasSuffix(".port")
            let isArgument = takesArguments && name.hasPrefix("arguments.")
            guard !known.contains(name), !isOfPeer, !isArgument else { continue }
            report(
                "unknown-placeholder", "there is no ${\(name)}", at: position,
                advice: advice(for: name))
        }
    }
}
