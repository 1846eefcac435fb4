import Foundation
import Glibc
import Testing
import Wire

/// The standard output of a device in this process, read line by line.
final class DeviceLines {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var hasEnded = false
    /// All lines so far.
    private(set) var all: [Value] = []

    init(_ output: Pipe) { descriptor = output.fileHandleForReading.fileDescriptor }

    /// Waits until an event is reported, at most ten seconds for each line.
    func wait(for event: String) throws {
        while !all.contains(where: { $0["event"]?.stringValue == event }) {
            try #require(!hasEnded, "the device has ended without \(event): \(all)")
            try read()
        }
    }

    /// Returns all lines, once the device has ended.
    func untilTheEnd() throws -> [Value] {
        while !hasEnded { try read() }
        return all
    }

    private func read() throws {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&watched, 1, 10_000) == 1, "the device says nothing more: \(all)")
        var room = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &room, room.count)
        try #require(count >= 0)
        hasEnded = count == 0
        bytes += room.prefix(count)
        while let end = bytes.firstIndex(of: 0x0A) {
            all.append(try Value(json: String(decoding: bytes[..<end], as: UTF8.self)))
            bytes.removeFirst(end + 1)
        }
    }
}
