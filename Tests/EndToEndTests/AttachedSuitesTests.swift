import Foundation
import TestSupport
import Testing

/// Runs one shard of each suite.
///
/// `CONFORM_BENCH_SHARD=1/1 swift test --filter AttachedSuitesTests` runs the complete suites,
/// with one run of each exploration.
@Suite(
    "An attached device in every suite",
    .enabled(if: Bench.obstacle == nil, "\(Bench.obstacle ?? "")"), .serialized)
struct AttachedSuitesTests {
    private static let shard =
        ProcessInfo.processInfo.environment["CONFORM_BENCH_SHARD"] ?? "1/24"

    /// The suites that come with `conform`, each with the reference device of its role.
    static let suites: [(suite: String, kind: ReferenceKind)] = {
        let folder = ConformProgram.root + "/Suites"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.sorted().compactMap { file in
            let text = (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
            // No reference device has the role of clients of other protocols.
            return ReferenceKind.all.first { text.contains("device: {role: \($0.role)}") }
                .map { ("Suites/\(file)", $0) }
        }
    }()

    private static func isDrawn(_ name: String) -> Bool { name.contains("[seed=") }

    @Test(
        "An attached device gets the verdicts of a launched one if the case needs no launch",
        arguments: suites)
    func sameVerdicts(suite: String, kind: ReferenceKind) throws {
        let bench = try Bench()
        let profile = try bench.profile(kind, line: bench.startBoard(kind))
        // An attached device runs one case at a time, and drawn runs are the longest ones.
        let selection = ["--shard", Self.shard, "--explore", "1"]
        let launched = try JudgedRun(suite, selection)
        let attached = try JudgedRun(
            suite, selection + ["--device", profile, "--network", "host"])
        // A drawn run lacks the acts that launch, so that it has another name and another shard.
        let (own, other) = (attached.results.verdicts, launched.results.verdicts)
        #expect(
            Set(own.keys.filter { !Self.isDrawn($0) })
                == Set(other.keys.filter { !Self.isDrawn($0) }))
        for (name, verdict) in own {
            let reason = attached.results.summaries[name] ?? ""
            let takesLaunch = verdict == "skipped" && reason.contains("is attached, not launched")
            let expected = other[name] ?? (Self.isDrawn(name) ? "pass" : nil)
            #expect(takesLaunch || verdict == expected, "\(suite) \(name): \(reason)")
        }
        // A small suite may have no case in this shard.
        guard !attached.results.captures.isEmpty else { return }
        try attached.expectSameOffline()
    }
}
