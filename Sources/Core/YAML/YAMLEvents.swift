import CYAML

/// An event of libyaml while it parses a document.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(text: String, isPlain: Bool)
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }

    var kind: Kind
    var anchor: String?
    var tag: String?
    /// The line, counted from 1.
    var line: Int
    /// The column, counted from 1 in characters.
    var column: Int
}

/// Returns libyaml's events as Swift values.
///
/// This is the only caller of libyaml. It owns the parser and its input.
struct YAMLEvents: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let file: String

    init(text: String, file: String) throws(InvalidInput) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw InvalidInput([Diagnostic("yaml-limit", "no memory for the parser", at: nil)])
        }
        let bytes = text.utf8
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
        self.parser = parser
        self.input = input
        self.file = file
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// Returns the next event; after `streamEnd` it always returns `streamEnd`.
    mutating func next() throws(InvalidInput) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw InvalidInput([syntaxError()]) }
        defer { yaml_event_delete(&event) }
        let mark = event.start_mark
        return YAMLEvent(
            kind: kind(of: event), anchor: anchor(of: event), tag: tag(of: event),
            line: mark.line + 1, column: mark.column + 1)
    }

    private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_ALIAS_EVENT: return .alias(string(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return .scalar(
                text: String(decoding: bytes, as: UTF8.self),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT: return .sequenceStart
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT: return .mappingStart
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        default: return .streamEnd
        }
    }

    private func anchor(of event: yaml_event_t) -> String? {
        switch event.type {
        case YAML_SCALAR_EVENT: string(event.data.scalar.anchor)
        case YAML_SEQUENCE_START_EVENT: string(event.data.sequence_start.anchor)
        case YAML_MAPPING_START_EVENT: string(event.data.mapping_start.anchor)
        default: nil
        }
    }

    private func tag(of event: yaml_event_t) -> String? {
        switch event.type {
        case YAML_SCALAR_EVENT: string(event.data.scalar.tag)
        case YAML_SEQUENCE_START_EVENT: string(event.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT: string(event.data.mapping_start.tag)
        default: nil
        }
    }

    private func string(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private func syntaxError() -> Diagnostic {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "not YAML"
        if state.error == YAML_READER_ERROR {
            let place = TextPlace(byteOffset: Int(state.problem_offset), in: input)
            return Diagnostic(
                "yaml-encoding", problem, at: place.position(in: file),
                advice: "write it as an escape such as \"\\x07\" in double quotes, or take it out")
        }
        let mark = state.problem_mark
        var what = problem
        if let context = state.context.map({ String(cString: $0) }) {
            what += " \(context)"
            if state.context_mark.line != mark.line {
                what += " that starts in line \(state.context_mark.line + 1)"
            }
        }
        let position = SourcePosition(file: file, line: mark.line + 1, column: mark.column + 1)
        return Diagnostic(
            "yaml-syntax", what, at: position,
            advice: YAMLAdvice.on(problem, at: position, in: String(decoding: input, as: UTF8.self))
        )
    }
}

/// The advice for the most frequent mistakes.
private enum YAMLAdvice {
    static func on(_ problem: String, at position: SourcePosition, in text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.indices.contains(position.line - 1) ? lines[position.line - 1] : ""
        let next = line.dropFirst(position.column - 1).first
        if next == "\t" || line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return "indent with spaces; YAML does not allow tabs there"
        }
        if problem.contains("cannot start any token") || problem.contains("not allowed in this") {
            return "put the text in quotes if the character belongs to it"
        }
        for (ends, what) in [("',' or '}'", "mapping"), ("',' or ']'", "list")]
        where problem.contains(ends) {
            let placeholder =
                line.firstRange(of: "${").flatMap { start in
                    line[start.lowerBound...].firstIndex(of: "}").map {
                        line[start.lowerBound...$0]
                    }
                } ?? "${name}"
            return "close the \(what), or put what has [, ], { or } in quotes: \"\(placeholder)\""
        }
        if problem.contains("unexpected end of stream") {
            return "close the quotes"
        }
        if problem.contains("expected key") || problem.contains("expected '-'") {
            return "check the indentation of this line and of the line before"
        }
        return ""
    }
}
