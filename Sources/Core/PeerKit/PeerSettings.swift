import SuiteLanguage
import Wire

/// The settings of a kind of peer.
///
/// Each setting is one row: its name, its type, and its effect. The loader, lint, the schema and
/// the reference use the rows as fields; the peer uses them to read values.
package protocol PeerSettings: Sendable {
    /// The name of the kind in a sentence, such as `a head unit`.
    static var owner: String { get }
    /// The settings.
    static var rows: [PeerSetting<Self>] { get }
}

extension PeerSettings {
    /// The settings as fields, for the kind of peer.
    package static var fields: [FieldDescription] { rows.map(\.field) }

    /// Replaces the settings that `values`, an object, contains.
    package mutating func apply(_ values: Value) throws(PeerError) {
        if values == .null { return }
        guard let members = values.objectValue else {
            throw PeerError(
                .badSetting, "the settings are of type \(values.typeName), expected an object")
        }
        for member in members {
            let reader = SettingReader(member.name, member.value)
            if let row = Self.rows.first(where: { $0.field.path == member.name }) {
                try row.apply(&self, reader)
            } else if member.name == "port" {
                _ = try reader.integer(in: 0...65_535)
            } else {
                throw PeerError(
                    .unknownSetting, "\(Self.owner) has no setting \"\(member.name)\"",
                    advice: Suggestion.advice(for: member.name, in: Self.fields.map(\.path)))
            }
        }
    }

    /// Changes settings for the action `configure` of the named peer; either all or none change.
    package mutating func configure(
        _ arguments: Value, of name: String, example: String
    ) throws(PeerError) {
        guard arguments != .null else {
            throw PeerError(
                .badArgument, "configure takes an object of settings",
                advice: "write `do: {\(name).configure: {\(example)}}`")
        }
        var changed = self
        try changed.apply(arguments)
        self = changed
    }
}

/// One setting of a kind of peer.
package struct PeerSetting<Settings>: Sendable {
    /// The name and the type.
    package let field: FieldDescription
    /// Reads a value into the settings.
    package let apply: @Sendable (inout Settings, SettingReader) throws(PeerError) -> Void

    /// Creates a setting whose value changes more than one thing.
    package init(
        _ name: String, _ type: @autoclosure @escaping @Sendable () -> FieldType,
        apply: @escaping @Sendable (inout Settings, SettingReader) throws(PeerError) -> Void
    ) {
        field = FieldDescription(name, type())
        self.apply = apply
    }

    /// Creates a setting that is stored as it is read.
    package init<Content>(
        _ name: String, _ path: any WritableKeyPath<Settings, Content> & Sendable,
        _ form: SettingForm<Content>
    ) {
        field = FieldDescription(name, form.type())
        apply = { settings, reader throws(PeerError) in
            settings[keyPath: path] = try form.read(reader)
        }
    }

    /// Creates a setting that need not have a value.
    package init<Content>(
        _ name: String, _ path: any WritableKeyPath<Settings, Content?> & Sendable,
        _ form: SettingForm<Content>
    ) {
        field = FieldDescription(name, form.type())
        apply = { settings, reader throws(PeerError) in
            settings[keyPath: path] = try form.read(reader)
        }
    }
}

/// The form of a setting: its type, and how a value is read.
package struct SettingForm<Content: Sendable>: Sendable {
    /// Returns the type; it is created on demand.
    package let type: @Sendable () -> FieldType
    /// Reads a value.
    package let read: @Sendable (SettingReader) throws(PeerError) -> Content

    package init(
        _ type: @autoclosure @escaping @Sendable () -> FieldType,
        read: @escaping @Sendable (SettingReader) throws(PeerError) -> Content
    ) {
        self.type = type
        self.read = read
    }
}

extension SettingForm<Bool> {
    /// A Boolean: `true` or `false`.
    package static let boolean = SettingForm(.boolean) { reader throws(PeerError) in
        try reader.boolean()
    }

    /// Returns the form for one of several words; the value is whether it is the first word.
    package static func first(of words: [String], _ name: String) -> Self {
        SettingForm(.enumeration(name: name, values: words)) { reader throws(PeerError) in
            try reader.word(words) == words.first
        }
    }
}

extension SettingForm<String> {
    /// A text that is not empty.
    package static let text = SettingForm(.string(maxLength: nil)) { reader throws(PeerError) in
        try reader.text()
    }

    /// Returns the form for a word of an enumeration.
    package static func word(_ type: @autoclosure @escaping @Sendable () -> FieldType) -> Self {
        SettingForm(type()) { reader throws(PeerError) in
            guard case .enumeration(_, let words, _) = type() else { return try reader.text() }
            return try reader.word(words)
        }
    }
}

extension SettingForm where Content: RawRepresentable & CaseIterable, Content.RawValue == String {
    /// Returns the form for a word of an enumeration.
    package static func word(_ name: String) -> Self {
        SettingForm(.enumeration(name: name, values: Content.allCases.map(\.rawValue))) {
            reader throws(PeerError) in
            try reader.word()
        }
    }
}

extension SettingForm where Content: FixedWidthInteger {
    /// Returns the form for an integer in a range, or in the range of its type.
    package static func integer(_ range: ClosedRange<Int64>? = nil) -> Self {
        SettingForm(.integer(range)) { reader throws(PeerError) in
            let fitting = Int64(clamping: Content.min)...Int64(clamping: Content.max)
            return Content(clamping: try reader.integer(in: range ?? fitting))
        }
    }
}

extension SettingForm<Value> {
    /// Returns the form for an object of a type.
    package static func object(_ type: @autoclosure @escaping @Sendable () -> FieldType) -> Self {
        SettingForm(type()) { reader throws(PeerError) in try reader.object() }
    }
}
