import Testing

@testable import SDL
@testable import Wire

@Suite("SDL: the positions of fields in the bytes of a message")
struct SDLFieldPlacesTests {
    private func text(_ message: SDL.Message, _ path: String) -> String? {
        message.fieldPlaces[path].map { String(decoding: message.bytes[$0], as: UTF8.self) }
    }

    @Test("Header fields, the RPC header and all JSON values, also nested ones, have positions")
    func binary() throws {
        let json =
            #"{"language" : "DE-DE","ttsName":[{"text":"a\"b","type":"TEXT"}],"x":{"y":-1.5e3}}"#
        let payload = Wire.rpc(json, function: 30, correlationID: 7, bulk: [1, 2, 3])
        let message = try #require(
            Wire.messages(Wire.frame(.single, payload, service: 15, session: 9)).first)
        #expect(message.fieldPlaces["sdl.session_id"] == 3..<4)
        #expect(message.fieldPlaces["sdl.data_size"] == 4..<8)
        #expect(message.fieldPlaces["sdl.message_id"] == 8..<12)
        #expect(message.fieldPlaces["rpc.correlation_id"] == 16..<20)
        #expect(text(message, "params") == json)
        #expect(text(message, "params.language") == "\"DE-DE\"")
        #expect(text(message, "params.ttsName[0].text") == #""a\"b""#)
        #expect(text(message, "params.ttsName[0]") == #"{"text":"a\"b","type":"TEXT"}"#)
        #expect(text(message, "params.x.y") == "-1.5e3")
        let bulk = try #require(message.fieldPlaces["bulk.data"])
        #expect(Array(message.bytes[bulk]) == [1, 2, 3])
    }

    @Test("The fields of version 1 have positions in the envelope")
    func envelope() throws {
        let json =
            #"{"request":{"name":"Show","correlationID":12,"parameters":{"mainField1":"Hi"}}}"#
        let message = try #require(
            Wire.messages(Wire.frame(.single, Array(json.utf8), version: 1)).first)
        #expect(text(message, "params.mainField1") == "\"Hi\"")
        #expect(text(message, "rpc.function") == "\"Show\"")
        #expect(text(message, "rpc.correlation_id") == "12")
        #expect(message.fieldPlaces["sdl.message_id"] == nil)
    }

    @Test("No position is outside the message, whatever its bytes are", arguments: 0..<300)
    func anyBytes(seed: UInt64) throws {
        var generator = MessageGenerator(seed: seed)
        var encoder = SDL.Encoder(version: UInt8(1 + seed % 5), sessionID: 1)
        var bytes = encoder.encode(generator.rpc(version: encoder.version))
        if seed % 2 == 1, bytes.count > 20 { bytes[Int(seed) % bytes.count] ^= 0x22 }
        for message in Wire.messages(bytes) {
            let size = message.bytes.count
            for (path, place) in message.fieldPlaces {
                #expect(place.lowerBound >= 0 && place.upperBound <= size, "\(path) \(place)")
            }
        }
    }

    @Test("Text that is not JSON gives the positions before the fault and never fails")
    func broken() {
        let whole = Array(#"{"a":[1,{"b":"c"}],"d":null}"#.utf8)
        for length in 0...whole.count {
            let places = JSONPlaces(Array(whole.prefix(length)), path: "p", base: 0).places
            #expect(places.values.allSatisfy { $0.upperBound <= length })
            if length > 7 { #expect(places["p.a[0]"] == 6..<7) }
        }
        let deep = Array(repeating: UInt8(ascii: "["), count: 10_000)
        #expect(JSONPlaces(deep, path: "p", base: 0).places.isEmpty)
    }
}
