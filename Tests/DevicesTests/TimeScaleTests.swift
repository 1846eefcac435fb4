import Suites
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

    @Test("reads the factor from its environment")
    func environment() throws {
        let faster = try profile("timeScale: env").running(at: try #require(scale))
        #expect(faster.environment == ["LD_PRELOAD": "own.so", "CONFORM_TIME_SCALE": "2.5"])
    }

    @Test("is left as it is at scale 1", arguments: DeviceProfile.TimeScaling.allCases)
    func real(scaling: DeviceProfile.TimeScaling) throws {
        let profile = try profile("timeScale: \(scaling.rawValue)")
        #expect(profile.timeScaling == scaling)
        #expect(try profile.running(at: .real) == profile)
        #expect(profile.canRun(at: .real))
    }

    @Test("cannot be had of one that has no such means, or that runs already")
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

    @Test("is given libfaketime before what it preloads itself, if that is installed")
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
