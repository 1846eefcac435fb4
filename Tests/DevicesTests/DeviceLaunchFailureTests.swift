import Devices
import TestSupport
import Testing
import Wire

@Suite("A launch that fails says why and what to do")
struct DeviceLaunchFailureTests {
    private func failure(
        _ arguments: [String], change: (inout DeviceProfile) -> Void = { _ in }
    ) -> DeviceError? {
        var profile = DeviceProfile.command(arguments, role: "test")
        change(&profile)
        do throws(DeviceError) {
            _ = try TestBench(profile)
            return nil
        } catch {
            return error
        }
    }

    @Test("for a program that PATH does not have")
    func notInPath() throws {
        let error = try #require(
            failure(["conform-no-such-program"]) { $0.environment = ["PATH": "/usr/bin:/bin"] })
        #expect(error.code == .commandNotFound)
        #expect(
            error.detail
                == "the program \"conform-no-such-program\" is not found; PATH=/usr/bin:/bin")
        #expect(error.advice.contains("install it"))
    }

    @Test("for a path that is not there")
    func noFile() throws {
        let error = try #require(failure(["./nothing/here"]) { $0.workingDirectory = "/tmp" })
        #expect(error.code == .commandNotFound)
        #expect(error.detail == "there is no program ./nothing/here (in /tmp)")
    }

    @Test("for a file that is not executable")
    func notExecutable() throws {
        let folder = TemporaryFolder()
        let path = folder.write("app", "#!/bin/sh\n")
        let error = try #require(failure([path]))
        #expect(error.code == .cannotLaunch)
        #expect(error.detail == "\(path) cannot be started: Permission denied")
        #expect(error.advice == "make it executable: chmod +x \(path)")
    }

    @Test("for a script without an interpreter")
    func noInterpreter() throws {
        let folder = TemporaryFolder()
        let error = try #require(failure([folder.write("app", "echo", mode: 0o755)]))
        #expect(error.advice.contains("#!"))
    }

    @Test("for a working directory that is not there")
    func noDirectory() throws {
        let error = try #require(failure(["true"]) { $0.workingDirectory = "/nothing" })
        #expect(
            error.detail
                == "the working directory /nothing cannot be entered: No such file or directory")
    }

    @Test("for a placeholder without a value")
    func placeholder() throws {
        let error = try #require(failure(["true", "${hu.prot}"]))
        #expect(error.code == .unknownPlaceholder)
        #expect(error.advice == "did you mean \"hu.port\"?")
    }

    @Test("for a device that is attached")
    func attached() throws {
        let error = try #require(
            failure(["true"]) { $0.access = .attach(.init(address: "10.0.0.1", interface: "eth0")) }
        )
        #expect(error.code == .notLaunched)
    }
}
