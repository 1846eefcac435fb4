import Testing

@testable import SDL
@testable import Wire

// Agreed sizes of frames, and limits of the decoder.
extension SDLFrameAnomalyTests {
    @Test(
        "A frame with more payload than the other side accepts is a violation",
        arguments: [
            (size: 488, violations: 0, warnings: 0), (489, 0, 1), (500, 0, 1), (501, 1, 0),
        ])
    func agreedSize(size: Int, violations: Int, warnings: Int) throws {
        var connection = SDL.Directions()
        func decode(_ bytes: [UInt8], _ side: ConnectionSide, at offset: Int = 0) -> [Anomaly] {
            var messages: [StreamMessage] = []
            connection.consume(bytes.span.bytes, from: side, at: UInt64(offset), into: &messages)
            return messages.flatMap(\.content.anomalies).filter { $0.text.contains("mtu") }
        }
        let rpc = Wire.rpc("{}")
        let padded = Wire.rpc("{}" + String(repeating: " ", count: size - rpc.count))
        let frame = Wire.frame(.single, padded)
        #expect(decode(frame, .first).isEmpty, "nothing is agreed yet")
        let answer = Wire.frame(.control, mtu, info: 2)
        #expect(decode(answer, .second).isEmpty)
        #expect(decode(frame, .second, at: answer.count).isEmpty, "it accepts more itself")
        let found = decode(frame, .first, at: frame.count)
        #expect(found.count { $0.severity == .violation } == violations)
        #expect(found.count { $0.severity == .warning } == warnings)
        let other = Wire.frame(.single, padded, session: 2)
        #expect(decode(other, .first, at: 2 * frame.count).isEmpty, "of another session")
    }

    /// A screen that wants only messages larger than 500 bytes.
    private struct LargeOnly: MessageScreen {
        func selects(_ head: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool {
            head.byteCount > 500
        }
    }

    @Test(
        "The limit of a StartServiceACK holds even if it is skipped", arguments: [true, false])
    func passedOverSize(isPlain: Bool) {
        var connection = SDL.Directions()
        var screening = Screening(LargeOnly())
        var messages: [StreamMessage] = []
        let parameters: Value = isPlain ? ["mtu": 500] : ["make": "é", "mtu": 500]
        let answer = Wire.frame(
            .control, parameters.bson(integerTypes: ["mtu": .int64]), info: 2)
        connection.consume(
            answer.span.bytes, from: .second, at: 0, into: &messages, asking: &screening)
        #expect(messages.isEmpty && screening.takePassedOver() == 1)
        let rpc = Wire.rpc("{}" + String(repeating: " ", count: 501 - Wire.rpc("{}").count))
        connection.consume(
            Wire.frame(.single, rpc).span.bytes, from: .first, at: 0, into: &messages,
            asking: &screening)
        let found = messages.flatMap(\.content.anomalies).filter { $0.text.contains("mtu") }
        #expect(found.map(\.severity) == [.violation])
    }

    @Test(
        "A StartServiceACK that limits frames is left to the decoder, in one piece or in two",
        arguments: [(mtu: 500, pieces: 1), (500, 2), (131_072, 1), (131_072, 2)])
    func announcementByHeaders(mtu: Int64, pieces: Int) {
        let parameters: Value = ["mtu": .integer(mtu)]
        let answer = Wire.frame(
            .control, parameters.bson(integerTypes: ["mtu": .int64]), info: 2)
        var course = HeaderReaderState()
        var screening = Screening(LargeOnly())
        var reading = HeaderReading(count: 0, continues: true)
        let cut = answer.count / pieces
        for piece in [answer[..<cut], answer[cut...]] where !piece.isEmpty {
            #expect(reading.continues)
            reading = SDL.FrameHeaderReader.read(
                Array(piece).span.bytes, &course, asking: &screening)
        }
        #expect(reading.continues == (mtu > 500))
        #expect(screening.takePassedOver() == (mtu > 500 ? 1 : 0))
        #expect(course.gathered.isEmpty == (mtu > 500 || pieces == 1))
    }

    @Test("The id of a session that has ended may belong to one of another version")
    func laterSession() {
        let end = Wire.frame(.control, info: 4)
        let frames =
            Wire.frame(.single, listFiles) + end + Wire.frame(.single, listFiles, version: 4)
        #expect(decode(frames).violations == [])
        let changed = Wire.frame(.single, listFiles) + Wire.frame(.single, listFiles, version: 4)
        #expect(decode(changed).violations == ["protocol version 4 after version 5 in session 1"])
        // The end of another service is not the end of the session.
        let service = Wire.frame(.control, service: 0x0A, info: 4)
        #expect(
            decode(
                Wire.frame(.single, listFiles) + service
                    + Wire.frame(.single, listFiles, version: 4)
            ).violations.count == 1)
        // Headers alone do not show what has ended.
        var course = HeaderReaderState()
        var screening = Screening(LargeOnly())
        let reading = SDL.FrameHeaderReader.read(end.span.bytes, &course, asking: &screening)
        #expect(reading.count == 0 && !reading.continues)
    }

    @Test("A StartServiceACK without a number lifts the limit of an earlier session")
    func liftedLimit() {
        var connection = SDL.Directions()
        var messages: [StreamMessage] = []
        var offset: UInt64 = 0
        for answer in [mtu, []] {
            let bytes = Wire.frame(.control, answer, info: 2, version: answer.isEmpty ? 4 : 5)
            connection.consume(bytes.span.bytes, from: .second, at: offset, into: &messages)
            offset += UInt64(bytes.count)
        }
        let rpc = Wire.rpc("{}" + String(repeating: " ", count: 600))
        connection.consume(
            Wire.frame(.single, rpc).span.bytes, from: .first, at: 0, into: &messages)
        #expect(!messages.flatMap(\.content.anomalies).contains { $0.text.contains("mtu") })
    }

    @Test("A stream whose beginning is missing is searched for its first whole frame")
    func missingBeginning() {
        var decoder = SDL.StreamDecoder()
        var messages: [StreamMessage] = []
        decoder.gap(upTo: 5, into: &messages)
        let rest: [UInt8] = [0x7B, 0x22, 0x61, 0x22, 0x3A, 0x31, 0x7D]
        let bytes = rest + Wire.frame(.single, listFiles)
        decoder.consume(bytes.span.bytes, at: 5, into: &messages)
        #expect(messages.map(\.content.name) == ["sdl.malformed", "sdl.ListFiles.request"])
        #expect(messages.flatMap(\.content.anomalies).allSatisfy { $0.severity == .warning })
    }

    @Test("A limit of the decoder is not a fault of the sender")
    func limits() throws {
        var decoder = SDL.StreamDecoder(SDL.MessageAssembly(maximumBufferedBytes: 8))
        var messages: [StreamMessage] = []
        decoder.consume(
            multiFrame(listFiles, numbers: [1, 0]).span.bytes, at: 0, into: &messages)
        let message = try #require(messages.first?.content as? SDL.Message)
        #expect(message.name == "sdl.malformed" && message.unread != nil)
        #expect(message.violation == nil)
        // A frame that is too long for the decoder is too long for every version.
        let long = decode(Wire.frame(.single, [], size: 1 << 24))
        #expect(long.violations.first?.contains("more than the 1048576 that are read") == true)
    }

    @Test("Two StartServiceACKs in one segment limit the frames of two services")
    func twoAnnouncements() {
        var connection = SDL.Directions()
        var messages: [StreamMessage] = []
        let answers = [UInt8(7), 0x0A].flatMap { service in
            Wire.frame(.control, mtu, service: service, info: 2)
        }
        connection.consume(answers.span.bytes, from: .second, at: 0, into: &messages)
        let rpc = Wire.rpc("{}" + String(repeating: " ", count: 501 - Wire.rpc("{}").count))
        messages = []
        connection.consume(
            Wire.frame(.single, rpc).span.bytes, from: .first, at: 0, into: &messages)
        let found = messages.flatMap(\.content.anomalies).filter { $0.text.contains("mtu") }
        #expect(found.map(\.severity) == [.violation])
    }

    @Test(
        "A StartServiceACK in two segments reaches the decoder with the second one",
        arguments: [
            ["mtu": 500], ["mtu": 131_072], ["mtu": 131_072, "audioServiceTransports": [1]],
        ] as [Value])
    func announcementInPieces(parameters: Value) {
        let answer = Wire.frame(
            .control, parameters.bson(integerTypes: ["mtu": .int64]), info: 2)
        var connection = SDL.Directions()
        var course = HeaderReaderState()
        var screening = Screening(LargeOnly())
        var messages: [StreamMessage] = []
        for piece in [answer[..<12], answer[12...]] {
            let bytes = Array(piece)
            let reading = SDL.FrameHeaderReader.read(bytes.span.bytes, &course, asking: &screening)
            guard !reading.continues else { continue }
            connection.resume(&course, at: UInt64(answer.count), from: .second)
            connection.consume(
                Array(bytes[reading.count...]).span.bytes, from: .second,
                at: UInt64(answer.count), into: &messages, asking: &screening)
        }
        #expect(screening.takePassedOver() == 1)
        connection.finish(.second, .closed, into: &messages)
        #expect(messages.isEmpty, "nothing was left over")
    }

    @Test("No frames are read by headers from a side that has limited the other side's frames")
    func boundedSide() {
        var connection = SDL.Directions()
        var messages: [StreamMessage] = []
        var agreements: [HeaderContext?] = []
        for (index, size) in [500, 131_072, 131_072].enumerated() {
            var screening = Screening(LargeOnly())
            let parameters: Value = ["mtu": .integer(Int64(size))]
            let answer = Wire.frame(
                .control, parameters.bson(integerTypes: ["mtu": .int64]), info: 2)
            connection.consume(
                answer.span.bytes, from: .second, at: UInt64(index * answer.count),
                into: &messages, asking: &screening)
            agreements.append(screening.agreement)
            #expect(connection.agreement(of: .second) == screening.agreement)
        }
        #expect(agreements == [nil, 0, 0])
    }

    /// The parameters of a StartServiceACK with an `mtu` of 500.
    private var mtu: [UInt8] {
        [18, 0, 0, 0, 0x12] + Array("mtu\0".utf8) + [0xF4, 1, 0, 0, 0, 0, 0, 0, 0]
    }
}

/// Compares names, violations and warnings.
private func == (
    left: (names: [String], violations: [String], warnings: [String]),
    right: ([String], [String], [String])
) -> Bool {
    left.names == right.0 && left.violations == right.1 && left.warnings == right.2
}
