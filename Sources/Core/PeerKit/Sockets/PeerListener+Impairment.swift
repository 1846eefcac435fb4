import Glibc
import Wire

extension PeerListener {
    /// Carries out an operation of link impairment.
    ///
    /// - Throws: `PeerError` with code `cannotListen` if the port cannot be bound again, or if the
    ///   kernel does not permit dropping packets or discarding connections.
    @discardableResult
    public func perform(_ operation: LinkImpairment.Operation) throws(PeerError) -> Outcome {
        switch operation {
        case .command(let command): return perform(command)
        case .stopListening: stopListening()
        case .listen: try listenAgain()
        case .resetAll:
            for connection in connections { perform(.reset(connection)) }
        case .turnAway(let end):
            turnsAway = end
        case .blackHole: try setDropping(true)
        case .forgetAll: try forgetAll()
        case .setStalled(let isStalled): table.setStalled(isStalled)
        }
        return .done
    }

    private func listenAgain() throws(PeerError) {
        turnsAway = nil
        table.setStalled(false)
        if isDropping { try setDropping(false) }
        guard listening < 0 else { return }
        try listen()
    }

    /// Makes the kernel discard each packet that arrives for a socket, before TCP sees it.
    private func setDropping(_ isDropping: Bool) throws(PeerError) {
        for descriptor in [listening] + table.sockets.keys where descriptor >= 0 {
            let result = isDropping ? PacketDrop.attach(descriptor) : PacketDrop.detach(descriptor)
            // A connection that was not yet accepted when the filters were attached has no filter.
            guard result == 0 || (!isDropping && errno == ENOENT) else {
                throw PeerError(
                    .cannotListen, "the kernel does not drop packets: \(describeErrno(errno))")
            }
        }
        self.isDropping = isDropping
    }

    /// Discards every connection without a FIN or a RST (tcp(7), TCP_REPAIR).
    private func forgetAll() throws(PeerError) {
        for descriptor in Array(table.sockets.keys) {
            var on: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            guard setsockopt(descriptor, Int32(IPPROTO_TCP), Self.repair, &on, size) == 0 else {
                throw PeerError(
                    .cannotListen, "a connection cannot be forgotten: \(describeErrno(errno))",
                    advice: "run the case in a network of its own, or use blackHole")
            }
            table.remove(descriptor)
            close(descriptor)
        }
    }

    /// The option number of TCP_REPAIR on Linux.
    private static let repair: Int32 = 19
}

/// A socket filter that drops every packet (socket(7), SO_ATTACH_FILTER).
enum PacketDrop {
    /// One instruction of classic BPF, in the kernel's layout.
    private struct Instruction {
        var code: UInt16
        var jumpIfTrue: UInt8
        var jumpIfFalse: UInt8
        var operand: UInt32
    }

    /// A program of classic BPF, in the kernel's layout.
    private struct Program {
        var length: UInt16
        var instructions: UnsafeMutablePointer<Instruction>
    }

    private static let attachFilter: Int32 = 26
    private static let detachFilter: Int32 = 27
    /// The opcode of `ret #0`: keep nothing of the packet.
    private static let returnConstant: UInt16 = 0x06

    static func attach(_ descriptor: Int32) -> Int32 {
        var instruction = Instruction(
            code: returnConstant, jumpIfTrue: 0, jumpIfFalse: 0, operand: 0)
        return withUnsafeMutablePointer(to: &instruction) { pointer in
            var program = Program(length: 1, instructions: pointer)
            return setsockopt(
                descriptor, SOL_SOCKET, attachFilter, &program,
                socklen_t(MemoryLayout<Program>.size))
        }
    }

    static func detach(_ descriptor: Int32) -> Int32 {
        var unused: Int32 = 0
        return setsockopt(
            descriptor, SOL_SOCKET, detachFilter, &unused, socklen_t(MemoryLayout<Int32>.size))
    }
}
