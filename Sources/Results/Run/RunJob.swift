/// The CI job that a run took place in, as far as reports link to it.
public struct RunJob: Sendable, Hashable, Codable {
    /// The job's page.
    public var page: String
    /// The address below which the job's artifacts are found by their path from the working
    /// directory, with a `/` at its end; `nil` where the engine has no such addresses.
    public var artifacts: String?

    /// Makes a job.
    public init(page: String, artifacts: String? = nil) {
        self.page = page
        self.artifacts = artifacts
    }

    /// The job of the engine whose variables are set; `nil` outside of the engines that are known.
    ///
    /// - Parameter variable: Tells the value of an environment variable.
    public init?(environment variable: (String) -> String?) {
        func set(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let page = set("CI_JOB_URL") {
            self.init(page: page, artifacts: page + "/artifacts/file/")
        } else if let server = set("GITHUB_SERVER_URL"), let project = set("GITHUB_REPOSITORY"),
            let run = set("GITHUB_RUN_ID")
        {
            self.init(page: "\(server)/\(project)/actions/runs/\(run)")
        } else if set("JENKINS_URL") != nil, let page = set("BUILD_URL") {
            let base = page.hasSuffix("/") ? page : page + "/"
            self.init(page: base, artifacts: base + "artifact/")
        } else if let page = set("BUILDKITE_BUILD_URL") ?? set("CIRCLE_BUILD_URL") {
            self.init(page: page)
        } else {
            return nil
        }
    }
}
