import SuiteLanguage
import Wire

extension YAMLMappingReader {
    /// Returns the controls of a profile.
    ///
    /// - Parameter isLaunched: Whether `conform` launches the device, which then takes input and
    ///   signals.
    mutating func controls(isLaunched: Bool) -> [String: DeviceProfile.Control] {
        var controls: [String: DeviceProfile.Control] = [:]
        for entry in mapping("controls") ?? [] {
            let control = control(entry)
            if !isLaunched, control?.needsProcess == true {
                findings.report(
                    "bad-value",
                    "control \"\(entry.key)\" needs a device that conform launches",
                    at: entry.value.position,
                    advice: "write one of command, ssh, http, serial and operator")
            }
            controls[entry.key] = control
        }
        return controls
    }

    private func control(_ entry: YAMLNode.Entry) -> DeviceProfile.Control? {
        if entry.value.string == "stdin" { return .request(method: entry.key) }
        guard entry.value.entries != nil else {
            findings.report(
                "wrong-type", "control \"\(entry.key)\" takes stdin or a mapping",
                at: entry.value.position,
                advice: "write stdin, {stdin: METHOD}, {signal: NAME} or {command: [PROGRAM, ...]}")
            return nil
        }
        guard
            var reader = YAMLMappingReader(
                entry.value, as: ProfileVocabulary.control, findings: findings)
        else { return nil }
        let timeout = reader.duration("timeout")
        let answer = reader.checkedText("answer")
        let ways: [DeviceProfile.Control.Way?] = [
            reader.text("stdin").map { .request(method: $0) },
            reader.signal("signal").map { .signal($0) },
            reader.command("command", takesArguments: true).map { .command($0) },
            reader.ssh().map { .ssh($0) }, reader.http().map { .http($0) },
            reader.serial().map { .serial($0) },
            reader.checkedText("operator").map { .person($0) },
        ]
        let given = ProfileVocabulary.controlWays.filter { reader.has($0) }
        let plain = ["stdin", "signal"].first { reader.has($0) }
        for key in ["timeout", "answer"] where plain != nil && reader.has(key) {
            findings.report(
                "bad-value", "\"\(key)\" is not for \(plain ?? "")",
                at: reader.entry(key)?.keyPosition)
        }
        if reader.has("operator"), let entry = reader.entry("answer") {
            findings.report(
                "bad-value", "\"answer\" is not for operator", at: entry.keyPosition,
                advice: "a person confirms with Enter")
        }
        reader.finish()
        if given.count != 1 {
            let names = ProfileVocabulary.controlWays.map { "\"\($0)\"" }
            findings.report(
                "bad-value",
                "a control has one of \(names.dropLast().joined(separator: ", ")) and "
                    + (names.last ?? ""),
                at: entry.value.position)
        }
        return ways.compactMap(\.self).first.map {
            DeviceProfile.Control(way: $0, timeout: timeout, answer: answer)
        }
    }

    private mutating func ssh() -> SSHControl? {
        guard var reader = reader("ssh", as: ProfileVocabulary.ssh) else { return nil }
        reader.require("host")
        reader.require("command")
        let host = reader.checkedText("host")
        let port = reader.integer("port", in: 1...65535).map { Int(clamping: $0) }
        let identity = reader.checkedText("identity")
        let options = reader.texts("options")?.map(\.text) ?? []
        let command = reader.command("command", takesArguments: true)
        reader.finish()
        guard let host, let command else { return nil }
        return SSHControl(
            host: host, port: port, identity: identity, options: options, command: command)
    }

    private mutating func http() -> HTTPControl? {
        guard var reader = reader("http", as: ProfileVocabulary.http) else { return nil }
        reader.require("url")
        let method = reader.text("method")
        if let method, !method.allSatisfy({ $0.isASCII && $0.isLetter }) {
            findings.report(
                "bad-value", "\"\(method)\" is not a method", at: reader.node("method")?.position)
        }
        let url = reader.checkedText("url")
        if let url, !url.lowercased().hasPrefix("http://"), !url.hasPrefix("${") {
            findings.report(
                "bad-value", "\"\(url)\" does not begin with http://",
                at: reader.node("url")?.position,
                advice: url.hasPrefix("https://")
                    ? "for TLS write a command, such as command: [curl, \(url)]"
                    : "write http://HOST:PORT/PATH")
        }
        let body = reader.checkedText("body")
        let status = reader.integer("status", in: 100...599).map { Int(clamping: $0) }
        var headers: [String: String] = [:]
        if var fields = reader.reader("headers", subject: "header") {
            for entry in fields.entries { headers[entry.key] = fields.checkedText(entry.key) }
        }
        reader.finish()
        guard let url else { return nil }
        return HTTPControl(
            method: method ?? (body == nil ? "GET" : "POST"), url: url, headers: headers,
            body: body, status: status)
    }

    private mutating func serial() -> SerialControl? {
        guard var reader = reader("serial", as: ProfileVocabulary.serial) else { return nil }
        reader.require("path")
        reader.require("send")
        let path = reader.checkedText("path")
        let baud = reader.integer("baud", in: 1...10_000_000).map { Int(clamping: $0) }
        if let baud, SerialTask.speeds[baud] == nil {
            findings.report(
                "bad-value", "\(baud) is not a usual speed", at: reader.node("baud")?.position,
                advice: "one of "
                    + SerialTask.speeds.keys.sorted().map(String.init).joined(separator: ", "))
        }
        let send = reader.checkedText("send")
        reader.finish()
        guard let path, let send else { return nil }
        return SerialControl(path: path, baud: baud ?? SerialControl.usualBaud, send: send)
    }

    /// Returns a text whose placeholders a control can fill.
    private mutating func checkedText(_ key: String) -> String? {
        guard let node = node(key), let text = text(key) else { return nil }
        findings.checkPlaceholders(text, at: node.position, takesArguments: true)
        return text
    }
}
