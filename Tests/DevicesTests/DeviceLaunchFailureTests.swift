import TestSupport
import Testing
import Wire

@testable import Devices

@Suite("The error of a launch that fails")
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

    @Test("A program that is not in PATH is named, with PATH and advice")
    func notInPath() throws {
        let error = try #require(
            failure(["conform-no-such-program"]) { $0.environment = ["PATH": "/usr/bin:/bin"] })
        #expect(error.code == .commandNotFound)
        #expect(
            error.detail
                == "the program \"conform-no-such-program\" is not found; PATH=/usr/bin:/bin")
        #expect(error.advice.contains("install it"))
    }

    @Test("A path that does not exist is named, with the working directory")
    func noFile() throws {
        let error = try #require(failure(["./nothing/here"]) { $0.workingDirectory = "/tmp" })
        #expect(error.code == .commandNotFound)
        #expect(error.detail == "there is no program ./nothing/here (in /tmp)")
    }

    @Test("For a file that is not executable, the advice is chmod +x")
    func notExecutable() throws {
        let folder = TemporaryFolder()
        let path = folder.write("app", "#!/bin/sh\n")
        let error = try #require(failure([path]))
        #expect(error.code == .cannotLaunch)
        #expect(error.detail == "\(path) cannot be started: Permission denied")
        #expect(error.advice == "make it executable: chmod +x \(path)")
    }

    @Test("For a script without an interpreter, the advice mentions #!")
    func noInterpreter() throws {
        let folder = TemporaryFolder()
        let error = try #require(failure([folder.write("app", "echo", mode: 0o755)]))
        #expect(error.advice.contains("#!"))
    }

    @Test(
        "An interpreter that does not exist is named, with the line that names it",
        arguments: [
            ("#!/usr/bin/pithon3\n", "the interpreter /usr/bin/pithon3 in its first line, which"),
            ("#! /no/such/sh -e\n", "the interpreter /no/such/sh in its first line, which"),
            ("#!/bin/sh\r\n", "its interpreter in a line that ends with a carriage return"),
        ])
    func missingInterpreter(line: String, words: String) throws {
        let folder = TemporaryFolder()
        let path = folder.write("app", line, mode: 0o755)
        let error = try #require(failure([path]))
        #expect(error.detail.hasPrefix("\(path) names \(words)"), "\(error)")
        let known = DeviceProfile.command([path, "${port}"], role: "test").launchFault
        #expect(known == error.detail)
    }

    @Test("A script with Windows line ends is a fault before the run, whatever starts first")
    func windowsLineEnds() {
        let folder = TemporaryFolder()
        let path = folder.write("app", "#!/usr/bin/env python3\r\n", mode: 0o755)
        let fault = DeviceProfile.command([path], role: "test").launchFault
        #expect(fault?.contains("a carriage return; save the file with Unix") == true)
    }

    @Test("A command in one text is shown as a list, with placeholders and without")
    func commandInOneText() throws {
        let folder = TemporaryFolder()
        let path = folder.write("app", "#!/bin/sh\n", mode: 0o755)
        for (arguments, list) in [
            ("7000", "7000"), ("--port ${port}", "--port, \"${port}\""),
        ] {
            let fault = DeviceProfile.command(["\(path) \(arguments)"], role: "test").launchFault
            #expect(fault?.contains("write launch: [\(path), \(list)]") == true, "\(fault ?? "")")
        }
        let spaced = folder.write("my app", "#!/bin/sh\n", mode: 0o755)
        #expect(DeviceProfile.command([spaced], role: "test").launchFault == nil)
        let line = DeviceProfile.command(["\(path) | tee log"], role: "test").launchFault
        #expect(line?.contains("launch: [sh, -c, \"\(path) | tee log\"]") == true, "\(line ?? "")")
    }

    @Test("A working directory that does not exist is named")
    func noDirectory() throws {
        let error = try #require(failure(["true"]) { $0.workingDirectory = "/nothing" })
        #expect(
            error.detail
                == "the working directory /nothing cannot be entered: No such file or directory")
    }

    @Test("For a placeholder without a value, a similar name is suggested")
    func placeholder() throws {
        let error = try #require(failure(["true", "${hu.prot}"]))
        #expect(error.code == .unknownPlaceholder)
        #expect(error.advice == "did you mean \"hu.port\"?")
    }

    @Test("A device that is attached cannot be launched")
    func attached() throws {
        let error = try #require(
            failure(["true"]) { $0.access = .attach(.init(address: "10.0.0.1", interface: "eth0")) }
        )
        #expect(error.code == .notLaunched)
    }
}
