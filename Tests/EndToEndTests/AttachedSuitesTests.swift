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

    /// Returns the name of a drawn run with all acts, also those that need a launched device.
    private static func whole(_ name: String) -> String {
        name.replacing(/,acts=[0-9+]*/, with: "")
    }

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
        let names = attached.results.verdicts.keys.map(Self.whole)
        #expect(Set(names) == Set(launched.results.verdicts.keys))
        for (name, verdict) in attached.results.verdicts {
            let reason = attached.results.summaries[name] ?? ""
            let takesLaunch = verdict == "skipped" && reason.contains("is attached, not launched")
            #expect(
                takesLaunch || verdict == launched.results.verdicts[Self.whole(name)],
                "\(suite) \(name): \(reason)")
        }
        // A small suite may have no case in this shard.
        guard !attached.results.captures.isEmpty else { return }
        try attached.expectSameOffline()
    }
}
