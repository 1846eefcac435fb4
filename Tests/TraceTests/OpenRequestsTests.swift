import BuiltInProtocols
import Testing
import Trace
import Wire

@Suite("Requests that wait for their answers")
struct OpenRequestsTests {
    private func header(_ name: String, _ correlation: UInt64) throws -> MessageHeader {
        MessageHeader(
            code: try #require(ProtocolRegistry.builtIn.code(ofMessage: name)), byteCount: 12,
            correlation: correlation,
            body: .empty)
    }

    private func place(_ slot: Int, at nanoseconds: Int64) -> MessagePlace {
        MessagePlace(flow: slot, slot: slot, isFromFirst: true, nanoseconds: nanoseconds, frame: 1)
    }

    @Test("An answer is paired with the request of its connection with its name and correlation")
    func answers() throws {
        var open = OpenRequests(.builtIn)
        let show = try header("sdl.Show.request", 1)
        let answer = try header("sdl.Show.response", 1)
        let steps: [(header: MessageHeader, slot: Int, time: Int64)] = [
            (show, 0, 10), (show, 1, 20), (try header("sdl.Alert.request", 1), 0, 25),
            (try header("sdl.Show.response", 2), 0, 30), (answer, 2, 30), (answer, 0, 40),
            (answer, 0, 50),
        ]
        let taken = steps.map {
            open.consume(CountedHeader($0.header, at: place($0.slot, at: $0.time)))
        }
        #expect(taken.map { $0 == nil } == [true, true, true, true, true, false, true])
        let answered = try #require(taken[5])
        #expect(ProtocolRegistry.builtIn.name(of: answered.request) == "sdl.Show.request")
        #expect(taken[5]?.latency == 30)
        #expect(open.requestCount == 3)
        #expect(open.answeredCount == 1)
    }

    @Test("Each of several open requests is paired with its own answer, in any order")
    func anyOrder() throws {
        var open = OpenRequests(.builtIn)
        let numbers: [UInt64] = [1, 2, 3, 4]
        for number in numbers + numbers {
            _ = open.consume(
                CountedHeader(
                    try header("sdl.Show.request", number), at: place(0, at: Int64(number))))
        }
        #expect(open.requestCount == 4)
        for number in [2, 4, 1, 3] as [UInt64] {
            let answer = try header("sdl.Show.response", number)
            let taken = open.consume(CountedHeader(answer, at: place(0, at: 10)))
            let again = open.consume(CountedHeader(answer, at: place(0, at: 10)))
            #expect(taken?.latency == 10 - Int64(number))
            #expect(again == nil)
        }
        #expect(open.answeredCount == 4)
    }

    @Test("Released requests, and the oldest of too many, stay unanswered")
    func forgotten() throws {
        var open = OpenRequests(.builtIn)
        let answer = try header("sdl.Show.response", 0)
        _ = open.consume(CountedHeader(try header("sdl.Show.request", 0), at: place(0, at: 1)))
        open.release(slot: 0)
        open.release(slot: 99)
        let released = open.consume(CountedHeader(answer, at: place(0, at: 2)))
        #expect(released == nil)
        for number in 0...64 as ClosedRange<UInt64> {
            _ = open.consume(
                CountedHeader(try header("sdl.Show.request", number), at: place(0, at: 3)))
        }
        let oldest = open.consume(CountedHeader(answer, at: place(0, at: 4)))
        let newest = open.consume(
            CountedHeader(try header("sdl.Show.response", 64), at: place(0, at: 5)))
        #expect(oldest == nil)
        #expect(newest != nil)
        #expect(open.requestCount == 66)
        #expect(open.answeredCount == 1)
    }
}

extension OpenRequests {
    /// Takes one message and returns the request that it answers, if any.
    fileprivate mutating func consume(
        _ header: CountedHeader
    ) -> (request: MessageCode, latency: Int64)? {
        var answered: (request: MessageCode, latency: Int64)?
        consume([header].span) { answered = ($0, $1) }
        return answered
    }
}
