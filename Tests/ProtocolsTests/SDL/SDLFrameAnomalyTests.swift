import Testing

@testable import SDL
@testable import Wire

@Suite("SDL: anomalies of frames")
struct SDLFrameAnomalyTests {
    /// Returns the names, the violations and the warnings of the messages of a stream.
    func decode(_ bytes: [UInt8]) -> (
        names: [String], violations: [String], warnings: [String]
    ) {
        let messages = Wire.messages(bytes)
        let anomalies = messages.flatMap(\.anomalies)
        return (
            messages.map(\.name), anomalies.filter { $0.severity == .violation }.map(\.text),
            anomalies.filter { $0.severity == .warning }.map(\.text)
        )
    }

    let listFiles = Wire.rpc("{}")

    /// Returns a First frame and its consecutive frames with the given numbers.
    func multiFrame(
        _ payload: [UInt8], numbers: [UInt8], total: Int? = nil, frames: Int? = nil
    ) -> [UInt8] {
        let size = (payload.count + numbers.count - 1) / numbers.count
        var bytes = Wire.frame(
            .first,
            Wire.announcement(total: total ?? payload.count, frames: frames ?? numbers.count))
        for (index, number) in numbers.enumerated() {
            let chunk = payload[
                min(payload.count, index * size)..<min(payload.count, (index + 1) * size)]
            bytes += Wire.frame(.consecutive, Array(chunk), info: number)
        }
        return bytes
    }

    @Test("A correct message has no anomaly")
    func clean() {
        let single = decode(Wire.frame(.single, listFiles))
        #expect(single == (["sdl.ListFiles.request"], [], []))
        let multi = decode(multiFrame(listFiles, numbers: [1, 2, 0]))
        #expect(multi == (["sdl.ListFiles.request"], [], []))
    }

    @Test("SPX-14: frame info in a Single or in a First frame is a violation")
    func frameInfo() {
        let single = decode(Wire.frame(.single, listFiles, info: 3))
        #expect(single.names == ["sdl.ListFiles.request"])
        #expect(single.violations == ["frame info 3 in a Single frame, expected 0"])
        let first = decode(
            Wire.frame(.first, Wire.announcement(total: 14, frames: 1), info: 9)
                + Wire.frame(.consecutive, listFiles))
        #expect(first.violations == ["frame info 9 in a First frame, expected 0"])
    }

    @Test("SPX-15: a First frame whose data size is not 8 is found")
    func firstSize() {
        let long = decode(
            Wire.frame(.first, Wire.announcement(total: 14, frames: 1) + [0])
                + Wire.frame(.consecutive, listFiles))
        #expect(long.names == ["sdl.ListFiles.request"])
        #expect(long.violations == ["data size 9 in a First frame, expected 8"])
        let short = decode(Wire.frame(.first, [0, 0, 0]))
        #expect(short.names == ["sdl.malformed"])
        #expect(short.violations.first == "data size 3 in a First frame, expected 8")
    }

    @Test("SPX-16: the E bit in a First frame is a violation")
    func encryptedFirst() {
        let bytes =
            Wire.frame(.first, Wire.announcement(total: 14, frames: 1), encrypted: true)
            + Wire.frame(.consecutive, listFiles)
        #expect(decode(bytes).violations == ["E bit set in a First frame"])
    }

    @Test("SPX-17: an announced size that is not the sum of the consecutive frames is found")
    func totalSize() {
        let result = decode(multiFrame(listFiles, numbers: [1, 0], total: 20))
        #expect(result.names == ["sdl.ListFiles.request"])
        #expect(result.violations == ["the First frame announces 20 byte(s), 14 came"])
    }

    @Test("SPX-18: an announced count that is not the number of consecutive frames is found")
    func frameCount() {
        let result = decode(multiFrame(listFiles, numbers: [1, 0], frames: 3))
        #expect(result.names == ["sdl.ListFiles.request"])
        #expect(
            result.violations == ["the First frame announces 3 consecutive frame(s), 2 came"])
    }

    @Test("SPX-18: a count that includes the First frame is the same violation")
    func countIncludesFirst() {
        let result = decode(multiFrame(listFiles, numbers: [1, 2, 0], frames: 4))
        #expect(
            result.violations == ["the First frame announces 4 consecutive frame(s), 3 came"])
    }

    @Test("SPX-19: a number out of order is reported once and the message still decodes")
    func outOfOrder() {
        let result = decode(multiFrame(listFiles, numbers: [1, 3, 4, 0]))
        #expect(result.names == ["sdl.ListFiles.request"])
        #expect(result.violations == ["consecutive frame number 3, expected 2"])
    }

    @Test("SPX-19: a counter that wraps from 255 to 0 is a violation")
    func wrapToZero() {
        let payload = Wire.rpc("{\"a\":\"\(String(repeating: "x", count: 580))\"}")
        let numbers = (0..<300).map { UInt8(($0 + 1) % 256) }.dropLast() + [0]
        let result = decode(multiFrame(payload, numbers: Array(numbers)))
        #expect(result.names == ["sdl.ListFiles.request"])
        #expect(result.violations == ["consecutive frame number 0 after 255, expected 1"])
    }

    @Test("SPX-20: a last frame whose number is not 0 is a violation")
    func lastNumber() {
        let result = decode(multiFrame(listFiles, numbers: [1, 2]))
        #expect(result.names == ["sdl.ListFiles.request"])
        #expect(result.violations == ["the last consecutive frame has number 2, expected 0"])
    }

    @Test("SPX-20: number 0 on a frame before the last ends the message")
    func earlyZero() {
        let result = decode(multiFrame(listFiles, numbers: [0, 0]))
        #expect(result.names == ["sdl.malformed", "sdl.malformed"])
        #expect(result.violations.contains("the First frame announces 14 byte(s), 7 came"))
        #expect(result.violations.contains { $0.contains("without a First frame") })
    }

    @Test("SPX-21: Single and Consecutive frames without payload are violations")
    func emptyFrames() {
        let single = decode(Wire.frame(.single))
        #expect(single.names == ["sdl.malformed"])
        #expect(single.violations.contains("Single frame without payload"))
        let bytes =
            Wire.frame(.first, Wire.announcement(total: 14, frames: 2))
            + Wire.frame(.consecutive, listFiles, info: 1) + Wire.frame(.consecutive)
        #expect(decode(bytes).violations == ["Consecutive frame without payload"])
    }

    @Test("SPX-12: reserved frame types, services and control frames are messages of their own")
    func reserved() {
        let next = Wire.frame(.single, listFiles)
        let type = decode(Wire.frame(.reserved5, [1, 2]) + next)
        #expect(type.names == ["sdl.malformed", "sdl.ListFiles.request"])
        #expect(type.violations.contains { $0.contains("frame type 5 is reserved") })
        let service = decode(Wire.frame(.single, listFiles, service: 5) + next)
        #expect(service.names == ["sdl.malformed", "sdl.ListFiles.request"])
        #expect(service.violations.contains { $0.contains("service 5 is reserved") })
        let info = decode(Wire.frame(.control, info: 0x0A) + next)
        #expect(info.names == ["sdl.malformed", "sdl.ListFiles.request"])
        #expect(info.violations.contains { $0.contains("frame info 10 is reserved") })
        let controlService = decode(Wire.frame(.control, service: 5, info: 4, version: 4) + next)
        #expect(controlService.violations.contains("service 5 is reserved"))
        for refusal: UInt8 in [3, 6] {
            let bytes = Wire.frame(.control, service: 5, info: refusal, version: 4)
            #expect(decode(bytes).violations == [], "a reserved service may be refused")
        }
    }

    @Test("SPX-12: a reserved version is malformed and the next frame is found")
    func reservedVersion() {
        for version: UInt8 in [0, 6, 15] {
            let bytes = Wire.frame(.single, listFiles, version: version)
            let result = decode(bytes + Wire.frame(.single, listFiles))
            #expect(
                result.names == ["sdl.malformed", "sdl.malformed", "sdl.ListFiles.request"])
            #expect(result.violations.first?.contains("protocol version \(version)") == true)
        }
    }

    @Test("SPX-13: a payload above the version's maximum is a warning, far above it a violation")
    func maximumPayload() {
        func json(_ size: Int) -> [UInt8] {
            Wire.rpc("{\"a\":\"\(String(repeating: "x", count: size - 12 - 8))\"}")
        }
        let exact = decode(Wire.frame(.single, json(1488), version: 2))
        #expect(exact == (["sdl.ListFiles.request"], [], []))
        let slack = decode(Wire.frame(.single, json(1500), version: 2))
        #expect(slack.warnings == ["1500 bytes of payload, at most 1488 in version 2"])
        let beyond = decode(Wire.frame(.single, json(1501), version: 2))
        #expect(beyond.violations == ["1501 bytes of payload, at most 1488 in version 2"])
        let announced = decode(Wire.frame(.single, json(140_000), version: 5))
        #expect(announced.warnings == ["140000 bytes of payload, at most 131072 in version 5"])
    }

    @Test("SPX-9: a change of a session's version is a violation")
    func versionChange() {
        let bytes =
            Wire.frame(.single, listFiles, version: 4) + Wire.frame(.single, listFiles, version: 5)
        #expect(decode(bytes).violations == ["protocol version 5 after version 4 in session 1"])
        let starts =
            Wire.frame(.control, info: 1, session: 0, version: 1)
            + Wire.frame(.single, listFiles, version: 4)
        #expect(decode(starts).violations == [])
    }

    @Test("SPX-22: session id 0 in a frame that carries data is a violation")
    func sessionZero() {
        let result = decode(Wire.frame(.single, listFiles, session: 0))
        #expect(result.violations == ["session id 0 in a frame that carries data"])
    }

    @Test("SPX-10: message id 0 in a frame that carries data is a warning")
    func messageIDZero() {
        #expect(
            decode(Wire.frame(.single, listFiles, id: 0)).warnings
                == ["message id 0 in a frame that carries data"])
    }

    @Test("A Consecutive frame without a First frame is malformed")
    func orphan() {
        let result = decode(Wire.frame(.consecutive, listFiles))
        #expect(result.names == ["sdl.malformed"])
        #expect(result.violations.contains { $0.contains("without a First frame") })
    }

    @Test("A message is malformed if a second First frame or the end of the stream interrupts it")
    func unfinished() {
        let first = Wire.frame(.first, Wire.announcement(total: 14, frames: 2))
        let result = decode(first + first + Wire.frame(.consecutive, listFiles, info: 1))
        #expect(result.names == ["sdl.malformed", "sdl.malformed"])
        #expect(result.violations[0].contains("a new First frame comes"))
        #expect(result.violations[1].contains("the stream ends"))
    }

    @Test("The oldest unfinished message is given up if there are more than the limit")
    func partialLimit() {
        var bytes: [UInt8] = []
        for id in 1...UInt32(SDL.Limits.partialMessages + 1) {
            bytes += Wire.frame(.first, Wire.announcement(total: 14, frames: 2), id: id)
        }
        let messages = Wire.decode(bytes, finish: false).compactMap { $0.content as? SDL.Message }
        #expect(messages.count == 1)
        #expect(messages.first?.header.messageID == 1)
        #expect(messages.first?.field(path("error_code")) == "limit")
    }

    @Test("A frame above the decoder's limit is malformed as soon as its header has arrived")
    func frameLimit() {
        let bytes = Wire.frame(.single, [], size: UInt32(SDL.Limits.framePayload) + 1)
        let messages = Wire.decode(bytes, finish: false).compactMap { $0.content as? SDL.Message }
        #expect(messages.map { $0.field(path("error_code")) } == ["limit"])
    }

    private func path(_ text: String) -> FieldPath {
        FieldPath(components: [.name(text)])
    }
}
