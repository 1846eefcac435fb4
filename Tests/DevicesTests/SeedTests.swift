import SuiteLanguage
import Testing

@testable import Devices

@Suite("The seed of random choices")
struct SeedTests {
    @Test("The device gets the seed as CONFORM_SEED, if there is one")
    func environment() {
        let profile = DeviceProfile.command(["d"], role: "sdl.app")
        #expect(profile.seeded(.max).environment["CONFORM_SEED"] == "18446744073709551615")
        #expect(profile.seeded(nil).environment["CONFORM_SEED"] == nil)
    }
}
