import Results
import Wire

// Members are in the order of their names, as in all files of a report folder. They are written as
// values, not by Foundation's encoder, because runs over captures have megabytes of evidence.

extension Evidence {
    /// The evidence as it is stored; `init(from:)` reads it.
    var stored: Value {
        .members([
            ("captureStart", captureStart.map { .integer($0.nanoseconds) }),
            ("log", .array(log.map(\.stored))), ("messages", .array(messages.map(\.stored))),
            ("notes", notes?.stored), ("omittedLogLines", .number(omittedLogLines)),
            ("omittedMessages", .number(omittedMessages)),
            ("origin", .integer(origin.nanoseconds)),
            ("parties", .array(parties.map(Value.string))), ("rows", .array(rows.map(\.stored))),
        ])
    }
}

extension CaseNotes {
    fileprivate var stored: Value {
        .members([
            ("demands", .array(demands.map(Value.string))),
            ("earlier", .array(earlier.map(\.stored))), ("source", source?.stored),
        ])
    }
}

extension SourceExcerpt {
    fileprivate var stored: Value {
        [
            "first": .number(first), "lines": .array(lines.map(Value.string)),
            "position": [
                "column": .number(position.column), "file": .string(position.file),
                "line": .number(position.line),
            ],
        ]
    }
}

extension EarlierVerdict {
    fileprivate var stored: Value {
        [
            "run": .string(run), "seconds": .double(seconds),
            "started": [
                "nanoseconds": .integer(started.time.nanoseconds), "utc": .string(started.utc),
            ],
            "verdict": .string(verdict.rawValue),
        ]
    }
}

extension EvidenceRow {
    fileprivate var stored: Value {
        .members([
            ("mark", .string(mark.rawValue)), ("message", message.map { .number($0) }),
            ("step", step.map { .number($0) }),
        ])
    }
}

extension EvidenceMessage {
    fileprivate var stored: Value {
        .members([
            ("anomalies", .array(anomalies.map(Value.string))),
            ("byteCount", .number(byteCount)), ("fields", .array(fields.map(\.stored))),
            ("flow", flow.map { .number($0) }),
            ("frames", .array(frames.map { .number($0) })),
            ("from", from.map(Value.string)), ("hex", .string(hex)), ("name", .string(name)),
            ("number", .number(number)), ("seconds", .double(seconds)),
            ("to", to.map(Value.string)),
        ])
    }
}

extension EvidenceField {
    fileprivate var stored: Value {
        .members([
            ("length", length.map { .number($0) }), ("name", .string(name)),
            ("offset", offset.map { .number($0) }), ("value", .string(value)),
        ])
    }
}

extension LogLine {
    fileprivate var stored: Value {
        ["seconds": .double(seconds), "stream": .string(stream), "text": .string(text)]
    }
}

extension Value {
    fileprivate static func number(_ number: Int) -> Value { .integer(Int64(clamping: number)) }

    /// Returns an object of the members that have a value.
    fileprivate static func members(_ members: [(name: String, value: Value?)]) -> Value {
        .object(members.compactMap { member in member.value.map { Member(member.name, $0) } })
    }
}
