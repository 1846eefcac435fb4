import Devices
import Results
import SuiteLanguage

extension RunPlan {
    /// Returns the digests of the files that decide the verdicts of a run of this plan.
    ///
    /// Each file is included once.
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
