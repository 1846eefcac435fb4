import Glibc
import Testing

@testable import Capture

@Suite("A capture that a program writes")
struct StreamCaptureTests {
    /// Creates a pipe with the given bytes and a capture that reads from it.
    private static func stream(
        _ pieces: [[UInt8]], closes: Bool = true
    ) throws -> (capture: StreamCapture, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let capture = try StreamCapture(copying: ends[0], path: "program")
        close(ends[0])
        for piece in pieces {
            #expect(write(ends[1], piece, piece.count) == piece.count)
            usleep(2000)
        }
        if closes { close(ends[1]) }
        return (capture, ends[1])
    }

    /// Waits for the given number of packets, or the end, and returns their times.
    private static func times(_ capture: StreamCapture, count: Int) -> [Int64] {
        var times: [Int64] = []
        let limit = ContinuousClock.now + .seconds(10)
        while times.count < count, capture.ending == nil, .now < limit {
            var ready = pollfd(fd: capture.fileDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&ready, 1, 100)
            capture.drain { times.append($0.timestamp) }
        }
        return times
    }

    private static func header() -> [UInt8] {
        [0x4D, 0x3C, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8) + [
            0, 0, 4, 0, 1, 0, 0, 0,
        ]
    }

    private static func record(_ second: UInt8) -> [UInt8] {
        [second, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4]
    }

    @Test("A capture is read as it comes, even byte by byte")
    func pieces() throws {
        let bytes = Self.header() + Self.record(1) + Self.record(2)
        let (capture, _) = try Self.stream(bytes.map { [$0] })
        #expect(Self.times(capture, count: 3) == [1_000_000_000, 2_000_000_000])
        #expect(capture.ending == .closed && capture.interfaces.first?.linkType == .ethernet)
    }

    @Test("A capture goes on while its program is silent")
    func silent() throws {
        let (capture, writing) = try Self.stream([Self.header() + Self.record(1)], closes: false)
        #expect(Self.times(capture, count: 1).count == 1)
        #expect(capture.ending == nil)
        close(writing)
        #expect(Self.times(capture, count: 1).isEmpty && capture.ending == .closed)
    }

    @Test("A stream that ends within a packet, or is not a capture, is reported")
    func broken() throws {
        for bytes in [Self.header() + Self.record(1).dropLast(), Array("hello, world".utf8), []] {
            let (capture, _) = try Self.stream([bytes])
            #expect(Self.times(capture, count: 1).isEmpty)
            guard case .failed = capture.ending else {
                Issue.record("\(String(describing: capture.ending))")
                continue
            }
        }
    }
}
