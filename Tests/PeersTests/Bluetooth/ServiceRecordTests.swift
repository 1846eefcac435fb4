import Testing

@testable import BluetoothPeers

@Suite struct ServiceRecordTests {
    private static let record = ServiceRecord(accessoryOn: 3)
    private static let accessories: [UInt8] = [
        0x1C, 0, 0, 0, 0, 0xDE, 0xCA, 0xFA, 0xDE, 0xDE, 0xCA, 0xDE, 0xAF, 0xDE, 0xCA, 0xCA, 0xFF,
    ]

    /// Returns a search for services that requests all attributes.
    private static func request(
        for pattern: [UInt8], bytes: UInt8 = 255, continuation: [UInt8] = [0]
    ) -> [UInt8] {
        let body =
            [0x35, UInt8(pattern.count)] + pattern + [0, bytes]
            + [0x35, 5, 0x0A, 0, 0, 0xFF, 0xFF] + continuation
        return [6, 0, 9, 0, UInt8(body.count)] + body
    }

    /// Returns the attribute list of an answer.
    private static func list(_ answer: [UInt8]) -> [UInt8] {
        let count = Int(answer[5]) << 8 | Int(answer[6])
        return Array(answer[7..<(7 + count)])
    }

    @Test func isFoundByItsClassAndByItsProtocol() throws {
        for pattern in [Self.accessories, [0x19, 0, 3], [0x19, 1, 0, 0x19, 0, 3]] {
            let answer = try #require(Self.record.answer(to: Self.request(for: pattern)))
            #expect(Array(answer[0..<3]) == [7, 0, 9])
            #expect(answer.last == 0)
            let list = Self.list(answer)
            // RFCOMM, channel 3.
            #expect(list.indices.contains { list[$0...].starts(with: [0x19, 0, 3, 8, 3]) })
            #expect(list.indices.contains { list[$0...].starts(with: Self.accessories) })
        }
    }

    @Test func isNotFoundByWhatItHasNot() throws {
        for pattern: [UInt8] in [[0x19, 0x11, 0x01, 0x19, 0x11, 0x02], [0x19, 0x11, 0x0B]] {
            let answer = try #require(Self.record.answer(to: Self.request(for: pattern)))
            #expect(Self.list(answer) == [0x35, 0])
        }
    }

    @Test(arguments: [UInt8(7), 20, 100]) func longAnswerComesInParts(bytes: UInt8) throws {
        let whole = try #require(Self.record.answer(to: Self.request(for: Self.accessories)))
        var joined: [UInt8] = []
        var continuation: [UInt8] = [0]
        repeat {
            let request = Self.request(
                for: Self.accessories, bytes: bytes, continuation: continuation)
            let answer = try #require(Self.record.answer(to: request))
            let part = Self.list(answer)
            #expect(part.count <= Int(bytes))
            joined += part
            continuation = Array(answer.dropFirst(7 + part.count))
        } while continuation != [0] && joined.count < 1_000
        #expect(joined == Self.list(whole))
    }

    @Test func recordIsReadByItsNumber() throws {
        let body: [UInt8] = [0, 1, 0, 1, 0, 255, 0x35, 3, 9, 0, 4, 0]
        let answer = try #require(
            Self.record.answer(to: [4, 0, 1, 0, UInt8(body.count)] + body))
        #expect(answer[0] == 5)
        #expect(Self.list(answer).starts(with: [0x35, 17, 9, 0, 4]))
        let other: [UInt8] = [0, 9, 0, 1, 0, 255, 0x35, 3, 9, 0, 4, 0]
        #expect(
            Self.record.answer(to: [4, 0, 1, 0, UInt8(other.count)] + other)
                == [1, 0, 1, 0, 2, 0, 2])
    }

    @Test func searchAloneGivesItsNumber() {
        let body: [UInt8] = [0x35, 3, 0x19, 0, 3, 0, 9, 0]
        #expect(
            Self.record.answer(to: [2, 0, 1, 0, UInt8(body.count)] + body)
                == [3, 0, 1, 0, 9, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    }

    @Test func anyBytesDoNoHarm() {
        for _ in 0..<50_000 {
            let body = (0..<Int.random(in: 0...30)).map { _ in
                [0x35, 0x19, 0x1C, 0, 1, UInt8.random(in: 0...255)].randomElement() ?? 0
            }
            let head: [UInt8] = [UInt8.random(in: 0...8), 0, 1, 0, UInt8(body.count)]
            _ = Self.record.answer(to: head + body)
        }
        #expect(Self.record.answer(to: [7, 0, 0, 0, 0]) == nil)
        #expect(Self.record.answer(to: [6, 0, 0, 0, 0]) == [1, 0, 0, 0, 2, 0, 3])
    }
}
