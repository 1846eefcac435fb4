import Foundation
import TestSupport
import Testing

/// The commands that make the packages of a release, with a small tree in place of a release build.
@Suite("Packages")
struct PackageTests {
    private static let rpmbuild = FileManager.default.isExecutableFile(atPath: "/usr/bin/rpmbuild")

    @Test(
        "An RPM names what its programs need, and is the same if it is made again",
        .enabled(if: rpmbuild, "rpm is not installed (Scripts/third-party)"))
    func rpm() throws {
        let folder = TemporaryFolder.lasting()
        let script = """
            set -e
            share=tree/share
            mkdir -p tree/bin $share/conform/suites/drivers $share/doc/conform one two
            mkdir -p $share/zsh/vendor-completions
            cp /bin/true tree/bin/conform
            printf '#!/usr/bin/env nothing\\n' >$share/conform/suites/drivers/device
            chmod 755 $share/conform/suites/drivers/device
            touch $share/conform/suites/first.yaml $share/doc/conform/copyright
            touch $share/doc/conform/LICENSE $share/zsh/vendor-completions/_conform
            chmod 644 $share/conform/suites/first.yaml
            export SOURCE_DATE_EPOCH=1700000000
            "$1/Scripts/rpm" tree 9.9.9 one
            sleep 1
            "$1/Scripts/rpm" tree 9.9.9 two
            cmp one/*.rpm two/*.rpm
            rpm -qp --requires one/*.rpm
            rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\\n]' one/*.rpm
            """
        let outcome = try ConformProgram.Started(
            ["/bin/bash", "-c", script, "rpm", ConformProgram.root], in: folder
        ).wait()
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        let lines = Set(outcome.output.split(separator: "\n").map(String.init))
        for line in [
            "libpcap.so.1()(64bit)", "libc.so.6()(64bit)", "-rwxr-xr-x /usr/bin/conform",
            "-rw-r--r-- /usr/share/conform/suites/first.yaml",
            "-rwxr-xr-x /usr/share/conform/suites/drivers/device",
            "-rw-r--r-- /usr/share/licenses/conform/LICENSE",
        ] {
            #expect(lines.contains(line), "\(line): \(outcome.output)")
        }
        #expect(outcome.output.contains("/usr/share/zsh/site-functions/_conform\n"))
        // What a driver needs, the user of its device installs.
        for text in ["/usr/bin/env", "vendor-completions", "copyright"] {
            #expect(!outcome.output.contains(text), "\(outcome.output)")
        }
    }
}
