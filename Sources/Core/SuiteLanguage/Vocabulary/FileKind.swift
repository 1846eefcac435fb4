/// A kind of file that people write for this program; the keys at its top show it.
public enum FileKind: CaseIterable, Sendable {
    case catalogue
    case protocolFile
    case kaitai
    case knownFailures
    case logFormat
    case suite
    case profile
    case project
    /// A file that suites include; it has the keys of a suite.
    case included

    /// The kind of a file; `nil` if no key at its top shows it.
    public init?(of root: YAMLNode) {
        let keys = Set((root.entries ?? []).map(\.key))
        guard let kind = Self.allCases.first(where: { !keys.isDisjoint(with: $0.marks) }) else {
            return nil
        }
        self = kind
    }

    /// Returns the error for a file of another kind than this one; `nil` if it may be of this kind.
    public func refusal(of root: YAMLNode) -> Diagnostic? {
        let keys = Set((root.entries ?? []).map(\.key))
        guard keys.isDisjoint(with: marks), let kind = FileKind(of: root),
            self != .included || kind != .suite
        else { return nil }
        return Diagnostic(
            "wrong-type", "this is \(kind.inWords), not \(inWords)", at: root.position,
            advice: kind.use)
    }

    /// The keys that show this kind.
    private var marks: Set<String> {
        switch self {
        case .catalogue: ["conform-requirements", "document"]
        case .protocolFile: ["conform-protocol", "ksy"]
        case .kaitai: ["meta", "seq"]
        case .knownFailures: ["conform-known-failures"]
        case .logFormat: ["conform-log"]
        case .suite: ["cases", "explore"]
        case .profile: ["launch", "attach", "role"]
        case .project: ["suites", "known", "reports", "jobs"]
        case .included: []
        }
    }

    /// What it is, with its article.
    private var inWords: String {
        switch self {
        case .catalogue: "a catalogue of requirements"
        case .protocolFile: "a description of a protocol"
        case .kaitai: "a description by Kaitai Struct"
        case .knownFailures: "a list of known failures"
        case .logFormat: "a log format"
        case .suite: "a suite"
        case .profile: "a device profile"
        case .project: "a project file"
        case .included: "an included file"
        }
    }

    /// What reads it.
    private var use: String {
        switch self {
        case .catalogue: "a suite names it under \"requirements\""
        case .protocolFile: "a suite names it under \"protocols\""
        case .kaitai: "a description of a protocol names it under \"ksy\""
        case .knownFailures: "conform run --known reads it"
        case .logFormat: "conform check --log-format reads it"
        case .suite: "conform lint, run and check read it, without an option"
        case .profile: "conform run --device reads it"
        case .project: "conform reads it by itself in the folder in which it starts"
        case .included: "suites include it"
        }
    }
}

extension Findings {
    /// Returns whether a file may be of the wanted kind; reports one of another kind.
    public func accepts(_ root: YAMLNode, as kind: FileKind) -> Bool {
        guard let refusal = kind.refusal(of: root) else { return true }
        add(refusal)
        return false
    }
}
