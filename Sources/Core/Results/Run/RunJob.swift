/// The CI job of a run, for links in reports.
public struct RunJob: Sendable, Hashable, Codable {
    /// The job's page.
    public var page: String
    /// The address of the job's artifacts, with a `/` at its end.
    ///
    /// An artifact has this address and its path from the working directory. It is `nil` if the
    /// engine has no such addresses.
    public var artifacts: String?

    /// Creates a job.
    public init(page: String, artifacts: String? = nil) {
        self.page = page
        self.artifacts = artifacts
    }

    /// Creates the job of the CI engine whose variables are set; `nil` outside of known engines.
    ///
    /// - Parameter variable: Returns the value of an environment variable.
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
