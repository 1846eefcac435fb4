/// The CI job of a run, for links in reports.
public struct RunJob: Sendable, Hashable, Codable {
    /// The job's page.
    public var page: String
    /// The address of the job's artifacts, with a `/` at its end.
    ///
    /// An artifact has this address and its path from the working directory. It is `nil` if the
    /// engine has no such addresses.
    public var artifacts: String?
    /// The address of a line of a file in the repository, with `{file}` for the path from the
    /// working directory and `{line}`; `nil` if the engine does not name the repository.
    public var source: String?
}

extension RunJob {
    /// Creates the job of the CI engine whose variables are set; `nil` outside of known engines.
    ///
    /// - Parameters:
    ///   - folder: The working directory.
    ///   - variable: Returns the value of an environment variable.
    public init?(in folder: String = "", environment variable: (String) -> String?) {
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
        source = Self.source(in: folder, set)
    }

    /// Returns the address of a line in the repository that the engine has checked out.
    private static func source(in folder: String, _ set: (String) -> String?) -> String? {
        if let project = set("CI_PROJECT_URL"), let commit = set("CI_COMMIT_SHA"),
            let inside = inside(set("CI_PROJECT_DIR"), folder)
        {
            return "\(project)/-/blob/\(commit)/\(inside){file}#L{line}"
        }
        if let server = set("GITHUB_SERVER_URL"), let project = set("GITHUB_REPOSITORY"),
            let commit = set("GITHUB_SHA"), let inside = inside(set("GITHUB_WORKSPACE"), folder)
        {
            // Gitea and Forgejo set the same variables.
            let files = set("GITEA_ACTIONS") == nil ? "blob" : "src/commit"
            return "\(server)/\(project)/\(files)/\(commit)/\(inside){file}#L{line}"
        }
        return nil
    }

    /// Returns the path of `folder` inside the checked out repository, with a `/` at its end unless
    /// it is empty; `nil` if it is elsewhere.
    private static func inside(_ root: String?, _ folder: String) -> String? {
        guard let root else { return nil }
        let base = root.hasSuffix("/") ? root : root + "/"
        guard (folder + "/").hasPrefix(base) else { return nil }
        return String((folder + "/").dropFirst(base.count))
    }
}
