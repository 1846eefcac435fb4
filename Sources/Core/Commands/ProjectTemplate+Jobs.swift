import Results

extension ProjectTemplate {
    /// The CI engines that a job can be written for.
    static let engines = ["github", "gitlab", "jenkins"]

    /// The commands that install a release; they need only bash, curl and tar.
    ///
    /// The tarball of a release runs on every Linux with glibc 2.34 or later.
    private static let fetch = "curl -fsSLo .conform-ci \"$CONFORM_RELEASES/conform-ci\""
    private static let install = "program=$(bash .conform-ci install)"
    private static let path = "export PATH=\"${program%/*}:$PATH\""

    /// The files of the job for the CI engine.
    var job: [(path: String, text: String)] {
        switch engine {
        case "github": [(".github/workflows/conform.yml", Self.workflow)]
        case "gitlab": [(hasPipeline ? "conform.gitlab-ci.yml" : ".gitlab-ci.yml", Self.pipeline)]
        case "jenkins": [("Jenkinsfile", Self.jenkinsfile)]
        default: []
        }
    }

    /// What the user has to do before the job works, a sentence each.
    var jobAdvice: [String] {
        guard engine != "none" else { return [] }
        let place = ["github": "repository", "gitlab": "project"][engine] ?? "job"
        return [
            "the CI job needs a variable CONFORM_RELEASES of the \(place): the URL of the folder "
                + "with the files of the release"
        ]
            + (engine == "gitlab" && hasPipeline
                ? ["name the job in .gitlab-ci.yml: include: [{local: conform.gitlab-ci.yml}]"]
                : [])
    }

    private static let workflow = """
        # CONFORM_RELEASES, a variable of the repository (Settings, Variables), is the URL of the
        # folder with the files of conform's release.
        name: conform
        on: [push, pull_request]
        jobs:
          conform:
            runs-on: ubuntu-latest
            env:
              CONFORM_RELEASES: "${{ vars.CONFORM_RELEASES }}"
              CONFORM_VERSION: "\(ConformVersion.current)"
            steps:
              - uses: actions/checkout@v4
              - name: Install conform
                run: \(fetch) && bash .conform-ci install
              - name: Allow user namespaces
                run: |
                  restriction=/proc/sys/kernel/apparmor_restrict_unprivileged_userns
                  [ ! -e "$restriction" ] || echo 0 | sudo tee "$restriction" >/dev/null
              - run: conform lint --strict --format github
              - run: conform run --reports Reports/ci --annotations github
              - uses: actions/upload-artifact@v4
                if: always()
                with: {name: conform, path: Reports/ci}

        """

    private static let pipeline = """
        # CONFORM_RELEASES, a variable of the project (Settings, CI/CD), is the URL of the folder
        # with the files of conform's release. The image needs what the device needs. A default
        # Docker executor refuses namespaces: then the cases use the network of the container, and
        # "isolation" in the reports says so.
        conform:
          image: debian:12
          variables: {CONFORM_VERSION: "\(ConformVersion.current)"}
          before_script:
            - apt-get update && apt-get install -y --no-install-recommends ca-certificates curl
            - \(fetch)
            - \(install)
            - \(path)
          script:
            - conform lint --strict
            - conform run --reports Reports/ci --annotations gitlab=quality.json
          artifacts:
            when: always
            paths: [Reports/ci]
            reports: {junit: Reports/ci/junit.xml, codequality: quality.json}

        """

    private static let jenkinsfile = """
        // CONFORM_RELEASES, a variable of the job or of its folder, is the URL of the folder with
        // the files of conform's release. The agent runs Linux and has bash, curl and tar.
        pipeline {
            agent any
            environment {
                CONFORM_VERSION = '\(ConformVersion.current)'
            }
            stages {
                stage('conform') {
                    steps {
                        sh '''#!/usr/bin/env bash
                            set -e
                            \(fetch)
                            \(install)
                            \(path)
                            conform lint --strict
                            conform run --reports Reports/ci
                        '''
                    }
                }
            }
            post {
                always {
                    junit testResults: 'Reports/ci/junit.xml', keepProperties: true
                    archiveArtifacts artifacts: 'Reports/ci/**', allowEmptyArchive: true
                }
            }
        }

        """
}
