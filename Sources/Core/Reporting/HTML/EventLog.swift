import Results

/// All events of a case in the order of time: messages, actions on the device, and the output of
/// the device.
struct EventLog {
    private let result: CaseResult
    private let evidence: Evidence
    private let identifier: String
    private let takers: [Int: (step: Int, mark: AlignmentRow.Mark)]
    private let divergence: Int?

    /// Creates the list; `anchor` is the identifier of the case.
    init(_ result: CaseResult, _ evidence: Evidence, anchor: String) {
        self.result = result
        self.evidence = evidence
        identifier = HTMLText.identifier(anchor)
        var takers: [Int: (step: Int, mark: AlignmentRow.Mark)] = [:]
        for row in evidence.rows {
            if let message = row.message, let step = row.step { takers[message] = (step, row.mark) }
        }
        self.takers = takers
        let first =
            result.verdict == .pass
            ? nil
            : evidence.rows.first { [.missing, .extra].contains($0.mark) && $0.message != nil }
        divergence = first?.message
    }

    /// One entry.
    private enum Entry {
        case message(EvidenceMessage)
        case log(LogLine)

        var seconds: Double {
            switch self {
            case .message(let message): message.seconds
            case .log(let line): line.seconds
            }
        }
    }

    /// The list.
    var html: String {
        var parts = ["<ol class=\"event-log\">"]
        var folded: [EvidenceMessage] = []
        func unfold() {
            guard !folded.isEmpty else { return }
            parts.append(fold(folded))
            folded = []
        }
        for entry in entries {
            switch entry {
            case .message(let message)
            where message.name.hasPrefix("tcp.")
                && message.number != divergence && takers[message.number] == nil:
                folded.append(message)
            case .message(let message):
                unfold()
                parts.append(item(message))
            case .log(let line):
                unfold()
                parts.append(item(line))
            }
        }
        unfold()
        parts.append("</ol>")
        parts += omissions
        return parts.joined(separator: "\n")
    }

    /// Messages and lines of the log by time; messages come first at equal times.
    private var entries: [Entry] {
        let all = evidence.messages.map(Entry.message) + evidence.log.map(Entry.log)
        return all.enumerated().sorted {
            ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset)
        }.map(\.element)
    }

    private var omissions: [String] {
        var texts: [String] = []
        if evidence.omittedMessages > 0 {
            texts.append(
                "\(NumberText.count(evidence.omittedMessages, "message")) omitted here; "
                    + "the capture contains them.")
        }
        if evidence.omittedLogLines > 0 {
            texts.append(
                "\(NumberText.count(evidence.omittedLogLines, "line")) of the device's log omitted "
                    + "here; the log contains them.")
        }
        return texts.map { "<p class=\"muted\">\($0)</p>" }
    }

    private func fold(_ messages: [EvidenceMessage]) -> String {
        guard messages.count > 1 else { return messages.map(item).joined() }
        let names = HTMLText.plain(LadderDrawing.summary(messages.map(\.name)))
        return "<li class=\"tcp\"><details><summary>\(time(messages[0].seconds))"
            + "<span class=\"who\">transport</span> <span>\(messages.count): \(names)</span>"
            + "</summary><ol>" + messages.map(item).joined() + "</ol></details></li>"
    }

    private func item(_ line: LogLine) -> String {
        let isConform = line.stream == "conform"
        return
            "<li class=\"\(isConform ? "act" : "log")\"><div class=\"line\">\(time(line.seconds))"
            + "<span class=\"who\">\(isConform ? "conform" : "log \(HTMLText.plain(line.stream))")"
            + "</span> \(HTMLText.code(line.text))</div></li>"
    }

    private func item(_ message: EvidenceMessage) -> String {
        let party = message.from == evidence.parties.first ? "dev" : "peer"
        let kind = message.flow == nil ? "act" : message.name.hasPrefix("tcp.") ? "tcp" : party
        var html = "<li class=\"\(kind)\" id=\"\(identifier)/m\(message.number)\">"
        let head =
            time(message.seconds) + "<span class=\"who\">\(who(message))</span> "
            + "\(HTMLText.code(message.name, limit: 120)) \(fate(message))"
        guard !message.fields.isEmpty || message.byteCount > 0 else {
            return html + "<div class=\"line\">\(head)</div></li>"
        }
        html += "<details><summary>\(head)</summary><div class=\"message\">"
        html += frames(message) + anomalies(message) + table(message)
        html += HexDump(message, wrong: wrong(in: message)).html
        return html + "</div></details></li>"
    }

    private func time(_ seconds: Double) -> String {
        "<span class=\"t\">\(NumberText.offset(seconds))</span> "
    }

    private func who(_ message: EvidenceMessage) -> String {
        guard message.flow != nil else {
            return HTMLText.plain("to \(message.from ?? "the device")")
        }
        return HTMLText.plain("\(message.from ?? "unknown") → \(message.to ?? "unknown")")
    }

    private func fate(_ message: EvidenceMessage) -> String {
        if message.number == divergence {
            let step = takers[message.number].map { ", step \($0.step)" } ?? ""
            return "<span class=\"badge fail\">first divergence\(step)</span>"
        }
        if let taker = takers[message.number] {
            return "<span class=\"fate\">step \(taker.step)</span>"
        }
        return result.ignored[message.name] != nil ? "<span class=\"fate\">ignored</span>" : ""
    }

    private func frames(_ message: EvidenceMessage) -> String {
        guard !message.frames.isEmpty else { return "" }
        return
            "<p>\(FramesText.short(message, in: evidence)), \(NumberText.count(message.byteCount, "byte"))"
            + ". In Wireshark: \(HTMLText.code(FramesText.filter(message.frames)))</p>"
    }

    private func anomalies(_ message: EvidenceMessage) -> String {
        guard !message.anomalies.isEmpty else { return "" }
        let items = message.anomalies.map { "<li>\(HTMLText.plain($0))</li>" }.joined()
        return "<ul class=\"anomalies\">\(items)</ul>"
    }

    /// Returns the fields that the failure reports as wrong.
    private func wrong(in message: EvidenceMessage) -> Set<Int> {
        guard message.number == divergence, let reason = result.reason else { return [] }
        let texts = (reason.explanation?.nearestMiss?.differences ?? []) + [reason.summary]
        return Set(
            message.fields.indices.filter { index in
                let name = message.fields[index].name
                return texts.contains { $0.hasPrefix("\(name): ") || $0.holds("got \(name) ") }
            })
    }

    private func table(_ message: EvidenceMessage) -> String {
        guard !message.fields.isEmpty else { return "" }
        let wrong = wrong(in: message)
        let rows = message.fields.enumerated().map { index, field in
            let place = field.offset == nil ? "" : " data-f=\"\(index)\""
            return "<tr\(wrong.contains(index) ? " class=\"wrong\"" : "")\(place)>"
                + "<th scope=\"row\">\(HTMLText.plain(field.name, limit: 120))</th>"
                + "<td>\(HTMLText.plain(field.value, limit: 300))</td></tr>"
        }
        return "<table class=\"fields\"><caption class=\"hidden\">Fields of "
            + "\(HTMLText.plain(message.name, limit: 120))</caption>" + rows.joined() + "</table>"
    }
}
