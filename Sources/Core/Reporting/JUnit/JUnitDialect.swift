/// The form of a JUnit report.
public enum JUnitDialect: String, Sendable, Hashable, CaseIterable {
    /// One file that all common readers accept.
    case common
    /// One file for each suite, valid by the schema of Maven Surefire.
    ///
    /// `testsuite` is the root, and a case has neither properties nor a position.
    case surefire
}
