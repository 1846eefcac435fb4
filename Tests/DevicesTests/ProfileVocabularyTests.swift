import BuiltInProtocols
import SuiteLanguage
import Testing
import Wire

@testable import Devices

@Suite("The keys of a device profile")
struct ProfileVocabularyTests {
    /// Every documented key, with a profile in which it has a value that no key accepts.
    static let misused: [(key: String, text: String)] = {
        func texts(
            _ description: MappingDescription, _ place: (String) -> String
        ) -> [(key: String, text: String)] {
            description.keyNames.map { key in
                ("\(description.name).\(key)", place("\(key): [[]]"))
            }
        }
        let head = ["name", "role", "launch"]
        let top = ProfileVocabulary.profile.keyNames.map { key in
            let rest = head.filter { $0 != key && !(key == "attach" && $0 == "launch") }
            let lines = rest.map { "\($0): x\n" }.joined()
            return (key: "device-profile.\(key)", text: lines + "\(key): [[]]\n")
        }
        let plain = "name: x\nrole: x\n"
        let launched = plain + "launch: x\n"
        return top + texts(ProfileVocabulary.attachment) { plain + "attach: {\($0)}" }
            + texts(ProfileVocabulary.companion) { launched + "companions: {x: {\($0)}}" }
            + texts(ProfileVocabulary.readiness) { launched + "ready: {\($0)}" }
            + texts(ProfileVocabulary.control) { launched + "controls: {x: {\($0)}}" }
            + texts(ProfileVocabulary.ssh) { launched + "controls: {x: {ssh: {\($0)}}}" }
            + texts(ProfileVocabulary.http) { launched + "controls: {x: {http: {\($0)}}}" }
            + texts(ProfileVocabulary.serial) { launched + "controls: {x: {serial: {\($0)}}}" }
            + texts(ProfileVocabulary.stop) { launched + "stop: {\($0)}" }
            + texts(ProfileVocabulary.limits) { launched + "limits: {\($0)}" }
    }()

    @Test("Every documented key is read, and none is unknown", arguments: misused.indices)
    func read(index: Int) {
        let (key, text) = Self.misused[index]
        let error = #expect(throws: InvalidInput.self, "\(key)") {
            try DeviceProfile.parse(text: text, file: "p.yaml")
        }
        let codes = error?.diagnostics.map(\.code) ?? []
        #expect(!codes.contains("unknown-key"), "\(key)")
        #expect(
            codes.contains { ["wrong-type", "bad-value", "unsupported-version"].contains($0) },
            "\(key): \(codes)")
    }

    @Test("The schema is JSON and has every key")
    func schema() throws {
        let schema = try Value(
            json: DeviceProfile.schema(SuiteSchema(.builtIn)).jsonText(pretty: true))
        let example = try #require(schema["examples"]?.arrayValue?.first)
        #expect(try DeviceProfile.parse(text: example.jsonText(), file: "p").role == "sdl.app")
        let definitions = try #require(schema["$defs"])
        for description in [
            ProfileVocabulary.profile, ProfileVocabulary.attachment, ProfileVocabulary.readiness,
            ProfileVocabulary.control, ProfileVocabulary.ssh, ProfileVocabulary.http,
            ProfileVocabulary.serial, ProfileVocabulary.stop, ProfileVocabulary.limits,
            ProfileVocabulary.companion,
        ] {
            let properties = definitions[description.name]?["properties"]?.objectValue ?? []
            #expect(properties.map(\.name) == description.keyNames)
        }
        #expect(definitions["variable"] == nil && definitions["template"] == nil)
    }
}
