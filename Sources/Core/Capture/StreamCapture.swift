import Glibc
import Synchronization
import System

/// A capture that is read while a program writes it, in any format of `CaptureFile`.
///
/// A separate thread reads it, so that nothing else waits. Packets are kept until they are drained.
public final class StreamCapture {
    /// The way in which a stream ended.
    public enum Ending: Sendable, Hashable {
        /// The program closed it after a whole packet, or before the first one.
        case closed
        /// It cannot be read any further.
        case failed(CaptureError)
    }

    private struct State {
        var packets: [KeptPacket] = []
        var interfaces: [CaptureInterface] = []
        var ending: Ending?
    }

    /// The state that the thread and its user share; it lives until both have finished.
    private final class Shared: Sendable {
        let state = Mutex(State())
        private let input: NamedInput
        let reading: Int32
        private let writing: Int32

        init(_ input: NamedInput) throws(CaptureError) {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw .system("pipe", input.path, errno: errno) }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            (reading, writing) = (ends[0], ends[1])
            self.input = input
        }

        deinit {
            close(reading)
            close(writing)
        }

        func read() {
            var ending = Ending.closed
            do throws(CaptureError) {
                var file = try CaptureFile(input)
                record { $0.interfaces = file.metadata.interfaces }
                while let kept = try Self.next(of: &file) {
                    let interfaces = file.metadata.interfaces
                    record {
                        $0.packets.append(kept)
                        $0.interfaces = interfaces
                    }
                }
                let interfaces = file.metadata.interfaces
                record { $0.interfaces = interfaces }
            } catch {
                ending = .failed(error)
            }
            let last = ending
            record { $0.ending = last }
        }

        private static func next(of file: inout CaptureFile) throws(CaptureError) -> KeptPacket? {
            guard let packet = try file.next() else { return nil }
            return KeptPacket(packet)
        }

        private func record(_ change: (inout sending State) -> Void) {
            state.withLock { change(&$0) }
            // A full pipe is readable already.
            _ = write(writing, "+", 1)
        }

        /// Takes the packets that have arrived.
        ///
        /// `fileDescriptor` is readable again with the next one.
        func take() -> [KeptPacket] {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while Glibc.read(reading, &bytes, bytes.count) == bytes.count {}
            return state.withLock { state in
                defer { state.packets = [] }
                return state.packets
            }
        }
    }

    private let shared: Shared
    /// The number of packets that have been delivered.
    public private(set) var packetCount = 0

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to which the program writes; it still belongs to the caller.
    ///   - path: The name for errors.
    public init(copying descriptor: Int32, path: String) throws(CaptureError) {
        let input = try CaptureError.converting { () throws(FileError) in
            try NamedInput(copying: descriptor, path: path)
        }
        shared = try Shared(input)
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { shared in
                if let shared { Unmanaged<Shared>.fromOpaque(shared).takeRetainedValue().read() }
                return nil
            }, Unmanaged.passRetained(shared).toOpaque())
        guard failure == 0 else {
            Unmanaged.passUnretained(shared).release()
            throw .system("pthread_create", path, errno: failure)
        }
        pthread_detach(thread)
    }

    /// A descriptor that is readable when packets have arrived.
    public var fileDescriptor: Int32 { shared.reading }
    /// The interfaces that the stream has described so far.
    public var interfaces: [CaptureInterface] { shared.state.withLock { $0.interfaces } }
    /// The way in which it ended, if no packets are left to drain; `nil` while it continues.
    public var ending: Ending? {
        shared.state.withLock { $0.packets.isEmpty ? $0.ending : nil }
    }

    /// Delivers the packets that have arrived.
    public func drain(_ body: (borrowing Packet) -> Void) {
        for kept in shared.take() {
            packetCount += 1
            kept.withPacket(index: packetCount, body)
        }
    }
}
