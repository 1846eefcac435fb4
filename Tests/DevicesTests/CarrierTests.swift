import Suites
import Testing

@testable import Devices

@Suite("The carrier of accessories' sessions")
struct CarrierTests {
    @Test("reaches the device as CONFORM_CARRIER, where there are accessories")
    func environment() {
        let profile = DeviceProfile.command(["d"], role: "sdl.app")
        #expect(profile.over(.iap2).environment["CONFORM_CARRIER"] == "iap2")
        #expect(profile.over(.bus).environment["CONFORM_CARRIER"] == "bus")
        #expect(profile.over(nil).environment["CONFORM_CARRIER"] == nil)
    }
}
