import Judge
import Results
import SuiteLanguage
import System
import Wire

/// Parameter values of the command line, and how suites are loaded with them.
public struct ParameterOverrides: Sendable {
    /// The values by name.
    public var values: [String: Value]
    /// Folders in which includes are looked up when a suite is loaded again.
    public var searchPath: [String]

    /// Creates overrides.
    public init(values: [String: Value] = [:], searchPath: [String] = []) {
        self.values = values
        self.searchPath = searchPath
    }

    /// Returns the suite for a device or a capture that gives these values.
    ///
    /// - Throws: `InvalidInput` if the suite cannot be used with them.
    package func suite(
        _ suite: Suite, at path: String, given: [String: Value]
    ) throws(InvalidInput) -> Suite {
        let wanted = given.merging(values) { $1 }
        let changes = suite.parameters.contains { item in
            wanted[item.name].map { $0 != item.value } ?? false
        }
        guard changes else { return suite }
        try Self.refuseStream(path, readAgain: "for the values of its parameters")
        return try SuiteLoader(suite.protocols).load(
            path: path, searchPath: searchPath, parameters: wanted)
    }

    /// Throws an error for a pipe that would have to be read more than once.
    package static func refuseStream(_ path: String, readAgain why: String) throws(InvalidInput) {
        guard NamedInput.isStream(path) else { return }
        throw InvalidInput([
            Diagnostic(
                "unreadable-file", "\(path) is a pipe, and is read again \(why)", at: nil,
                advice: "save it in a file first")
        ])
    }

    /// Returns the values of a suite's parameters with their origins.
    ///
    /// - Parameters:
    ///   - suite: The suite with its values.
    ///   - given: The values that the device or the capture gives.
    ///   - source: The source of these values.
    package func origins(
        of suite: Suite, given: [String: Value], source: RunParameter.Origin
    ) -> [RunParameter] {
        suite.parameters.compactMap { item in
            item.value.map { value in
                RunParameter(
                    suite: suite.id, name: item.name, value: value.suiteText,
                    origin: values[item.name] != nil
                        ? .commandLine : given[item.name] != nil ? source : .fallback)
            }
        }
    }

    /// The command line options that give these values.
    package var arguments: [String] {
        values.sorted { $0.key < $1.key }
            .flatMap { ["--parameter", "\($0.key)=\($0.value.suiteText)"] }
    }
}

extension TestCase {
    /// The reason why the case cannot be judged if parameters are missing.
    package var missingParameterReason: Reason? {
        guard let first = missingParameters.first else { return nil }
        let names = missingParameters.joined(separator: ", ")
        return Reason(
            .notApplicable,
            "no value for what depends on the device: \(names); give it under \"parameters\" of the "
                + "device profile, or with --parameter \(first)=VALUE")
    }
}

/// Parameter values as text, for worker tasks and for the metadata of captures.
package enum ParameterText {
    /// Returns the values as one JSON object.
    package static func json(_ values: [String: Value]) -> String {
        let members = values.sorted { $0.key < $1.key }.map { Value.Member($0.key, $0.value) }
        return Value.object(members).jsonText()
    }

    /// Returns the values of one JSON object.
    package static func values(_ json: String) throws(DecodeError) -> [String: Value] {
        let bytes = Array(json.utf8)
        let members = try Value(json: bytes.span.bytes).objectValue ?? []
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}
