import Foundation
import Testing

@testable import Live

@Suite("What a machine refuses, in sentences")
struct MachineLimitsTests {
    @Test("Settings that refuse namespaces are changed by one command")
    func settings() {
        var limits = MachineLimits()
        limits.refusingSettings = [
            "user.max_user_namespaces=15000", "kernel.unprivileged_userns_clone=1",
        ]
        #expect(
            limits.namespaceGrants == [
                "sudo sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1 "
                    + "grants them (for a container: on its host)"
            ])
    }

    @Test("A capability that a container took away is not granted by setcap")
    func capability() {
        var limits = MachineLimits()
        #expect(limits.captureGrant(to: "/x/conform").hasPrefix("sudo setcap cap_net_raw+ep /x/"))
        limits.mayGain = false
        #expect(limits.captureGrant(to: "/x/conform").contains("no_new_privs"))
        limits.mayCapture = false
        #expect(limits.captureGrant(to: "/x/conform").contains("--cap-add NET_RAW"))
    }

    @Test("A worker that cannot be started is a finding, not a failure of doctor")
    func worker() {
        for path in ["/no/such/conform", "/bin/false", "/bin/true"] {
            let probe = IsolationProbe.ofWorker(executable: path)
            let findings = Diagnosis.live(probe, MachineLimits(), path)
            #expect(findings.map(\.state) == [.missing], "\(path)")
            #expect(findings.first?.advice.isEmpty == false)
        }
    }

    @Test("Namespaces that are refused for the same reason are named together")
    func reasons() throws {
        let text = """
            {"refused": ["user", "mount", "proc"], "reasons": ["no user namespace: not permitted", \
            "no mount namespace: not permitted", "no fresh /proc: busy"]}
            """
        let probe = try JSONDecoder().decode(IsolationProbe.self, from: Data(text.utf8))
        #expect(
            probe.reasonsInWords
                == "no user namespace, no mount namespace: not permitted; no fresh /proc: busy")
        let found = Diagnosis.live(probe, MachineLimits(), "conform")
        #expect(found.map(\.state) == [.lacking, .fine])
        #expect(found[0].advice.last?.contains("devices reach the files") == true)
    }
}
