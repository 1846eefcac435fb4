import Testing
import Wire

@testable import conform_device

@Suite("Configuration")
struct ConfigurationTests {
    private func read(_ json: String) throws -> LifecycleConfiguration {
        try LifecycleConfiguration(document: Value(json: json))
    }

    @Test("An empty document gives the defaults")
    func defaults() throws {
        #expect(try read("{}") == LifecycleConfiguration())
    }

    @Test("A configuration written as a document is read back unchanged")
    func roundTrip() throws {
        let configuration = LifecycleConfiguration.multilingual.with {
            $0.maxReconnects = 3
            $0.show = .nothing
            $0.transport = .iap
            $0.iap.createSessionRetries = 7
        }
        #expect(try read(configuration.value.jsonText()) == configuration)
    }

    @Test("Every key is read")
    func allKeys() throws {
        let configuration = try read(
            """
            {"appName": "a", "appID": "b", "fullAppID": "c", "shortAppName": "d",
             "ttsName": [{"text": "e", "type": "TEXT"}, {"text": "f", "type": "SILENCE"}],
             "voiceRecognitionCommandNames": ["g"], "isMediaApplication": true,
             "language": "DE-DE", "languagesSupported": ["DE-DE", "IT-IT"],
             "protocolVersion": "4.1.0", "delegate": {"willUpdateLifecycle": {
                "IT-IT": {"appName": "h", "ttsName": null}, "EN-US": null}},
             "show": {"mainField1": "i"}, "reconnectDelay": 5, "maxReconnects": 2}
            """)
        #expect(
            configuration.ttsName == [TTSChunk(text: "e"), TTSChunk(text: "f", type: "SILENCE")])
        #expect(configuration.protocolVersion == ProtocolVersion(major: 4, minor: 1, patch: 0))
        #expect(configuration.delegate == .implemented(["IT-IT": LifecycleUpdate(appName: "h")]))
        #expect(configuration.show == .parameters(["mainField1": "i"]))
        #expect(configuration.reconnectDelay == 5)
        #expect(configuration.maxReconnects == 2)
        #expect(configuration.isMediaApplication)
    }

    @Test("The use of accessories is read, and what is left out keeps its default")
    func accessories() throws {
        let configuration = try read(
            """
            {"transport": "iap", "iap": {"systemVersion": "10.0.1", "controlTimeout": 300}}
            """)
        #expect(configuration.transport == .iap)
        #expect(configuration.iap.systemVersion == SystemVersion("10.0.1"))
        #expect(configuration.iap.controlTimeout == 300)
        #expect(configuration.iap.createSessionRetries == 3)
        #expect(try read("{}").transport == .tcp)
    }

    @Test("Versions are compared number by number")
    func versions() throws {
        let ascending = try ["8", "8.4.1", "8.10", "9", "9.0.1", "9.3", "10", "10.0.1", "100"]
            .map { try #require(SystemVersion($0)) }
        #expect(ascending == ascending.shuffled().sorted())
        #expect(SystemVersion("9") == SystemVersion("9.0.0"))
        #expect(SystemVersion("9.0") != SystemVersion("9.0.1"))
        for text in ["", ".", "9.", "9.x", "-9", "9 ", "99999999999999999999"] {
            #expect(SystemVersion(text) == nil, "\(text)")
        }
    }

    @Test(
        "A delegate without the method is not implemented",
        arguments: ["null", "{}", #"{"willUpdateLifecycle": "absent"}"#])
    func absentDelegate(json: String) throws {
        #expect(try read(#"{"delegate": \#(json)}"#).delegate == .notImplemented)
    }

    @Test("A delegate whose method is null is implemented and returns nothing")
    func nullDelegate() throws {
        let delegate = try read(#"{"delegate": {"willUpdateLifecycle": null}}"#).delegate
        #expect(delegate.isImplemented)
        #expect(delegate.update(to: "DE-DE") == nil)
    }

    @Test(
        "A wrong document is refused with the path of the key",
        arguments: [
            (#"{"langage": "DE-DE"}"#, "langage"),
            (#"{"language": 1}"#, "language"),
            (#"{"language": "DE-DE", "language": "EN-US"}"#, "language"),
            (#"{"languagesSupported": ["EN-US", 2]}"#, "languagesSupported[1]"),
            (#"{"ttsName": [{"txt": "a"}]}"#, "ttsName[0].txt"),
            (#"{"protocolVersion": "6.0.0"}"#, "protocolVersion"),
            (#"{"protocolVersion": "5.4"}"#, "protocolVersion"),
            (#"{"reconnectDelay": -1}"#, "reconnectDelay"),
            (#"{"delegate": {"will": 1}}"#, "delegate.will"),
            (#"{"delegate": {"willUpdateLifecycle": 1}}"#, "delegate.willUpdateLifecycle"),
            (
                #"{"delegate": {"willUpdateLifecycle": {"DE-DE": {"vrSynonyms": []}}}}"#,
                "delegate.willUpdateLifecycle.DE-DE.vrSynonyms"
            ),
            (#"{"show": 3}"#, "show"),
            (#"{"transport": "usb"}"#, "transport"),
            (#"{"iap": {"systemVersion": 9.3}}"#, "iap.systemVersion"),
            (#"{"iap": {"systemVersion": "nine"}}"#, "iap.systemVersion"),
            (#"{"iap": {"createSessionRetries": -1}}"#, "iap.createSessionRetries"),
            (#"{"iap": {"retries": 1}}"#, "iap.retries"),
            (#"[]"#, ""),
        ])
    func errors(json: String, key: String) throws {
        let document = try Value(json: json)
        let error = #expect(throws: ConfigurationError.self) {
            try LifecycleConfiguration(document: document)
        }
        #expect(error?.key == key)
    }

    @Test("A merge that fails changes nothing")
    func failedMerge() throws {
        var configuration = LifecycleConfiguration.multilingual
        #expect(throws: ConfigurationError.self) {
            try configuration.merge(["appName": "Other", "language": 5])
        }
        #expect(configuration == .multilingual)
    }

    @Test("A file that is missing or not JSON is refused with its name")
    func files() {
        #expect(throws: ConfigurationError.self) {
            try LifecycleConfiguration(file: "/nonexistent/configuration.json")
        }
        let error = #expect(throws: ConfigurationError.self) {
            try LifecycleConfiguration(file: #filePath)
        }
        #expect(error?.description.contains("is not JSON") == true)
    }
}
