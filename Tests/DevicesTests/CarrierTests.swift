import SuiteLanguage
import Testing

@testable import Devices

@Suite("The carrier of accessories' sessions")
struct CarrierTests {
    @Test("The device gets the carrier as CONFORM_CARRIER if there are accessories")
    func environment() {
        let profile = DeviceProfile.command(["d"], role: "sdl.app")
        #expect(profile.over(.iap2).environment["CONFORM_CARRIER"] == "iap2")
        #expect(profile.over(.bus).environment["CONFORM_CARRIER"] == "bus")
        #expect(profile.over(nil).environment["CONFORM_CARRIER"] == nil)
    }
}
