import SuiteLanguage

/// A list of failures that are known and have an issue.
public struct KnownFailures: Sendable, Hashable {
    /// One failure of one case or of several.
    public struct Entry: Sendable, Hashable {
        /// The cases, as `--case` selects them.
        public var pattern: CasePattern
        /// The requirement that they break.
        public var check: String
        /// Text that the sentence describing the failure must contain.
        public var reason: String
        /// Where the failure is tracked, such as a link.
        public var issue: String
        /// Who is responsible for it.
        public var owner: String
        /// The last day on which the entry excuses a failure.
        public var expires: CalendarDate
        /// Whether the entry may list every case of a suite.
        public var coversSuite = false
        /// The position of the entry in the file.
        public var position: SourcePosition

        /// Whether the entry is about that case with those requirements.
        func lists(suite: String, id: String, checks: some Sequence<String>) -> Bool {
            pattern.names(suite: suite, id: id) && checks.contains(check)
        }
    }

    /// The file, as the user named it.
    public var file: String
    /// The entries, in file order.
    public var entries: [Entry]
}
