import Devices
import Results
import Suites

extension RunPlan {
    /// The digests of the files that decide the verdicts of a run of this plan, each file once.
    ///
    /// - Parameter known: The list of known failures; `nil` without one.
    func digests(known: String?) -> [RunDigest] {
        var digests = RunDigest.list(of: suites)
        if case .profile(let path) = device { digests.add(.profile, path) }
        if let known { digests.add(.known, known) }
        for suite in suites {
            profiles[suite.deviceRole]?.launchedFiles.forEach { digests.add(.program, $0) }
        }
        return digests + RunDigest.ofConform
    }
}

extension RunDigest {
    /// The digests of suites and of the files that they are read from.
    static func list(of suites: [Suite]) -> [RunDigest] {
        var digests: [RunDigest] = []
        for suite in suites {
            digests.add(.suite, suite.file)
            for source in suite.sources {
                digests.add(source.role == .include ? .include : .catalogue, source.path)
            }
        }
        return digests
    }
}

extension [RunDigest] {
    /// Adds the digest of a file that is not there yet, if the file can be read.
    mutating func add(_ kind: RunDigest.Kind, _ path: String) {
        guard !contains(where: { $0.kind == kind && $0.path == path }),
            let digest = RunDigest(kind, of: path)
        else { return }
        append(digest)
    }
}
