import Protocols
import Suites

/// The files with which a project begins.
struct ProjectTemplate {
    /// The kinds of devices that there are files for: those for which a first suite passes with the
    /// reference device.
    static let roles = ["sdl.app", "session.client"]

    /// The kind of device.
    let role: String
    /// The words of the command that starts it; empty for the reference device.
    let launch: [String]
    /// The CI engine, or `none`.
    let engine: String

    /// The files by their paths in the project.
    var files: [(path: String, text: String)] {
        [
            (ProjectFile.name, project), ("suites/first.yaml", suite),
            ("suites/requirements/first.yaml", catalogue),
        ] + (launch.isEmpty ? [] : [("device.yaml", profile)]) + job
    }

    private var project: String {
        """
        # What command lines of conform leave out; paths are from this file.
        # All keys: conform schema project
        conform: 1
        suites: suites
        \(launch.isEmpty ? "# Your device, once there is a profile of it; until then the reference device runs.\n# device: device.yaml" : "device: device.yaml")
        reports: Reports

        """
    }

    private var profile: String {
        """
        # How conform starts your device: Documentation/device-profile.md
        conform: 1
        name: My device
        role: \(role)
        launch: \(Value.array(launch.map(Value.string)).jsonText())

        """
    }

    private var catalogue: String {
        """
        # What the device must do, numbered; suites refer to the numbers.
        conform-requirements: 1
        document: Requirements of my device
        requirements:
          MY-1:
            text: \(role == "sdl.app" ? "The app registers with the head unit within ten seconds." : "The client opens a session within ten seconds.")
            ours: a first requirement, to begin with
            ways:
              nothing is sent: "first/begins"

        """
    }

    private var suite: String {
        """
        # conform lint checks this file, conform explain says in sentences what it demands,
        # conform fields lists what "where" can name.
        conform: 1
        suite: first
        title: First checks
        requirements: [requirements/first.yaml]
        device: {role: \(role)}
        peers:
          \(role == "sdl.app" ? "hu: {is: sdl.head-unit, language: EN-US, hmiDisplayLanguage: EN-US}" : "server: {is: session.server}")
        defaults: {within: 10s, unexpected: allow, quiet: 1s}
        cases:
          - id: begins
            title: The device begins to speak
            checks: [MY-1]
            steps:
        \(steps)

        """
    }

    private var steps: String {
        role == "sdl.app"
            ? """
                  - expect: sdl.StartService
                  - expect: sdl.RegisterAppInterface.request
                    where: {params.appName: {length: {min: 1}}}
            """
            : """
                  - expect: tcp.SYN
                  - expect: diffusion.connect
            """
    }

    private var job: [(path: String, text: String)] {
        let install = "curl -fsSL -o conform.deb \"$CONFORM_DEB\""
        switch engine {
        case "github":
            return [
                (
                    ".github/workflows/conform.yml",
                    """
                    # CONFORM_DEB, a variable of the repository, is the address of conform's package.
                    name: conform
                    on: [push, pull_request]
                    jobs:
                      conform:
                        runs-on: ubuntu-latest
                        env: {CONFORM_DEB: "${{ vars.CONFORM_DEB }}"}
                        steps:
                          - uses: actions/checkout@v4
                          - run: \(install) && sudo apt-get install -y ./conform.deb
                          - run: conform lint --strict --format github
                          - run: conform run --reports Reports/ci --annotations github
                          - uses: actions/upload-artifact@v4
                            if: always()
                            with: {name: conform, path: Reports/ci}

                    """
                )
            ]
        case "gitlab":
            return [
                (
                    "conform.gitlab-ci.yml",
                    """
                    # To be included by .gitlab-ci.yml; CONFORM_DEB, a variable of the project, is the
                    # address of conform's package.
                    conform:
                      image: debian:12
                      before_script:
                        - apt-get update && apt-get install -y curl
                        - \(install) && apt-get install -y ./conform.deb
                      script:
                        - conform lint --strict
                        - conform run --reports Reports/ci --annotations gitlab=quality.json
                      artifacts:
                        when: always
                        paths: [Reports/ci]
                        reports: {junit: Reports/ci/junit.xml, codequality: quality.json}

                    """
                )
            ]
        default: return []
        }
    }
}
