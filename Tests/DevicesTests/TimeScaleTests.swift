import SuiteLanguage
import TestSupport
import Testing

@testable import Devices

@Suite("A device at a time scale")
struct TimeScaleTests {
    private let scale = TimeScale(2.5)

    private func profile(_ word: String) throws -> DeviceProfile {
        try DeviceProfile.parse(
            text: "name: d\nrole: sdl.app\nlaunch: [d]\nenv: {LD_PRELOAD: own.so}\n\(word)\n",
            file: "d.yaml")
    }

    @Test("The factor is in the device's environment")
    func environment() throws {
        let faster = try profile("timeScale: env").running(at: try #require(scale))
        #expect(faster.environment == ["LD_PRELOAD": "own.so", "CONFORM_TIME_SCALE": "2.5"])
    }

    @Test("At scale 1 a profile is unchanged", arguments: DeviceProfile.TimeScaling.allCases)
    func real(scaling: DeviceProfile.TimeScaling) throws {
        let profile = try profile("timeScale: \(scaling.rawValue)")
        #expect(profile.timeScaling == scaling)
        #expect(try profile.running(at: .real) == profile)
        #expect(profile.canRun(at: .real))
    }

    @Test("A device that cannot scale its clock, or is attached, does not run at a time scale")
    func none() throws {
        let scale = try #require(scale)
        for text in ["timeScale: none", "version: x"] {
            let profile = try profile(text)
            #expect(!profile.canRun(at: scale))
            let error = #expect(throws: DeviceError.self) { try profile.running(at: scale) }
            #expect(error?.code == .timeScale)
        }
        var attached = try profile("timeScale: env")
        attached.access = .attach(.init(address: "10.0.0.7", interface: "eth0"))
        #expect(!attached.canRun(at: scale))
    }

    @Test("libfaketime, if installed, is preloaded before the device's own libraries")
    func faketime() throws {
        let folder = TemporaryFolder()
        let library = folder.write("libfaketimeMT.so.1", "")
        #expect(try FaketimeLibrary.path(in: ["/none/*", folder.path + "/lib*.so.1"]) == library)
        let error = #expect(throws: DeviceError.self) {
            try FaketimeLibrary.path(in: [folder.path + "/none"])
        }
        #expect(error?.description.contains("apt-get install faketime") == true)
        guard let installed = try? FaketimeLibrary.path() else { return }
        let faster = try profile("timeScale: faketime").running(at: try #require(scale))
        #expect(
            faster.environment == [
                "LD_PRELOAD": "\(installed):own.so", "FAKETIME": "+0 x2.5",
            ])
    }
}
