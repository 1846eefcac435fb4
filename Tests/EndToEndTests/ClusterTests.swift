import Foundation
import TestSupport
import Testing

/// Shards of a run on a cluster, with the files of `Integrations` for its engine.
@Suite("Clusters: shards under an existing engine", .serialized)
struct ClusterTests {
    private static let suite = "Suites/registration-language.yaml"
    /// Some cases that pass and some that fail.
    private static let plan =
        ["run", suite, "--device", "reference:forgets-hmi-display-language"]
        + ["change-carries-*", "same-language-*", "*-is-compared-*"].flatMap { ["--case", $0] }

    private static let hasSlurm =
        geteuid() == 0
        && ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged", "/usr/bin/sbatch"]
            .allSatisfy(FileManager.default.isExecutableFile)

    /// Runs a script on a separate cluster; it finds `conform` in `CONFORM`.
    private func onCluster(_ script: String, _ folder: String) throws -> ConformProgram.Outcome {
        let program = "\(ConformProgram.root)/Tests/EndToEndTests/Bench/slurm-cluster"
        return try ConformProgram.Started(
            [
                "CONFORM=\(ConformProgram.folder)/conform", "CONFORM_REPORTS=\(folder)/reports",
                "/usr/bin/unshare", "--net", program, "/bin/bash", "-c",
                script, "slurm", "\(ConformProgram.root)/Integrations/slurm/conform-slurm",
            ] + Self.plan, in: ConformProgram.root
        ).wait()
    }

    @Test(
        "A job array of Slurm gives the report of the single run, even if an attempt was killed",
        .enabled(if: hasSlurm, "Slurm is not installed (Scripts/third-party), or this is not root"))
    func slurm() throws {
        let folder = TemporaryFolder.lasting()
        let whole = folder + "/whole"
        let single = try ConformProgram.run(Self.plan + ["--reports", whole])
        #expect(single.status == 1, "\(single.output) \(single.errors)")
        let script = """
            export CONFORM
            journal=$CONFORM_REPORTS/shard-2/journal.jsonl
            (until [ -s "$journal" ]; do sleep 0.05; done
            scontrol requeue "$(squeue --noheader --name=conform --format=%F | head -1)_2") &
            "$1" 3 "${@:2}"
            status=$?
            wait
            exit "$status"
            """
        let cluster = try onCluster(script, folder)
        #expect(cluster.status == 1, "\(cluster.output) \(cluster.errors)")
        let killed = try String(contentsOfFile: folder + "/reports/shard-2.txt", encoding: .utf8)
        #expect(killed.contains("REQUEUE"), "the second shard was run again: \(killed)")
        for file in ["results.json"] {
            let merged = try Self.neutral("\(folder)/reports/all/\(file)")
            let other = try Self.neutral("\(whole)/\(file)")
            #expect(merged == other, "\(file)")
        }
    }

    @Test(
        "The merge names a shard whose task leaves no report",
        .enabled(if: hasSlurm, "Slurm is not installed (Scripts/third-party), or this is not root"))
    func hole() throws {
        let script = """
            printf '%s\\n' '#!/bin/sh' '[ "$SLURM_ARRAY_TASK_ID" != 2 ] || exit 9' \\
                'exec "$REAL" "$@"' >"$CONFORM_REPORTS-conform"
            chmod +x "$CONFORM_REPORTS-conform"
            export REAL=$CONFORM CONFORM=$CONFORM_REPORTS-conform
            "$1" 3 "${@:2}"
            """
        let folder = TemporaryFolder.lasting()
        let cluster = try onCluster(script, folder)
        #expect(
            cluster.output.contains("shard 2/3 is missing"), "\(cluster.output) \(cluster.errors)")
        #expect(cluster.status == 1, "\(cluster.errors)")
        #expect(cluster.output.contains("no result"), "\(cluster.output)")
    }

    private static let python = "\(ConformProgram.root)/.third-party/python/bin/python3"
    private static let hasKubernetesSchemas = FileManager.default.fileExists(
        atPath: "\(ConformProgram.root)/.third-party/python/bin/kubernetes-validate")

    @Test(
        "The jobs of Kubernetes are valid, and their pods give one report",
        .enabled(
            if: hasKubernetesSchemas, "kubernetes-validate is not installed (Scripts/third-party)"))
    func kubernetes() throws {
        let folder = TemporaryFolder.lasting()
        try FileManager.default.createDirectory(
            atPath: folder + "/reports", withIntermediateDirectories: false)
        func execute(_ manifest: String) throws -> ConformProgram.Outcome {
            let root = ConformProgram.root
            return try ConformProgram.Started(
                [
                    "PATH=\(ConformProgram.folder):/usr/bin:/bin", Self.python,
                    "\(root)/Tests/EndToEndTests/Bench/kubelet.py", folder + "/reports",
                    "\(root)/Suites", "\(root)/Integrations/kubernetes/\(manifest).yaml",
                ], in: root
            ).wait()
        }
        let shards = try execute("conform-run")
        #expect(shards.status == 0, "\(shards.output) \(shards.errors)")
        let merged = try execute("conform-merge")
        #expect(merged.output.contains("conformant: all "), "\(merged.output) \(merged.errors)")
        #expect(!merged.output.contains("is missing"))
        try FileManager.default.removeItem(atPath: folder + "/reports/shard-2")
        try FileManager.default.removeItem(atPath: folder + "/reports/all")
        let holed = try execute("conform-merge")
        #expect(holed.status == 3 && holed.output.contains("shard 3/4 is missing"))
    }

    /// Returns a report without what differs in another run of the same cases.
    ///
    /// That is times, places and digests.
    private static func neutral(_ path: String) throws -> [String] {
        let folder = String(path.prefix(upTo: try #require(path.lastIndex(of: "/"))))
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(folder, with: "reports")
        var object = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        var run = try #require(object["run"] as? [String: Any])
        for key in ["id", "folder", "command", "started", "environment", "digests", "job"] {
            run[key] = nil
        }
        object["run"] = run
        object["files"] = nil
        // What a busy machine adds: executions, remarks about them, and ignored messages.
        let cases = try #require(object["cases"] as? [[String: Any]])
        let unlike = ["executions", "remarks", "reproduce", "counts", "ignored"]
        object["cases"] = cases.map { $0.filter { !unlike.contains($0.key) } }
        let data = try JSONSerialization.data(
            withJSONObject: object, options: [.sortedKeys, .prettyPrinted])
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        return lines.map { line in
            line.replacing(/"captureDigest" : ".*"/, with: "digest")
                .replacing(/(in|of) \/[^ "]*/, with: "place")
                .replacing(/[0-9]+(\.[0-9]+)?/, with: "#")
        }
    }
}
