import Results

/// The code quality report of GitLab: a list of findings that a merge request shows at its files.
public struct CodeQualityReport: Sendable {
    private let run: RunResult
    private let root: String

    /// Creates the report of a run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - root: The path from the root of the repository to the working directory; empty if they
    ///     are the same.
    public init(_ run: RunResult, root: String = "") {
        self.run = run
        self.root = root
    }

    private struct Finding: Encodable {
        struct Location: Encodable {
            struct Lines: Encodable {
                var begin: Int
            }

            var path: String
            var lines: Lines
        }

        var description: String
        var checkName: String
        var fingerprint: String
        var severity: String
        var location: Location

        private enum CodingKeys: String, CodingKey {
            case description, fingerprint, severity, location
            case checkName = "check_name"
        }
    }

    /// The file: a JSON array, `[]` if there are no findings.
    public var text: String {
        let findings = AnnotatedCase.all(of: run).map { found in
            Finding(
                description: "\(found.title): \(found.text)", checkName: "conform.\(found.kind)",
                fingerprint: Self.fingerprint(found), severity: Self.severity(found),
                location: Finding.Location(
                    path: AnnotatedCase.path(found.position.file, below: root),
                    lines: .init(begin: max(1, found.position.line))))
        }
        let bytes = (try? JSONText.pretty(findings)) ?? Array("[]".utf8)
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    private static func severity(_ found: AnnotatedCase) -> String {
        switch found.verdict {
        case .fail: "critical"
        case .error: "major"
        default: "minor"
        }
    }

    /// Returns the fingerprint of a finding.
    ///
    /// It is the same for the same kind of failure of the same case, so that a merge request can
    /// distinguish new findings from old ones. It has 128 bits, so that two findings never share
    /// one.
    private static func fingerprint(_ found: AnnotatedCase) -> String {
        let text = "\(found.title)\u{1F}\(found.kind)"
        return [UInt64(0xCBF2_9CE4_8422_2325), 0x8422_2325_CBF2_9CE4].map { start in
            let hash = text.utf8.reduce(into: start) { hash, byte in
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
