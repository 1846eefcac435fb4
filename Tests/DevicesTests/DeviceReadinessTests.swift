import Devices
import Glibc
import Testing

@Suite("Readiness")
struct DeviceReadinessTests {
    @Test("A device without a condition for readiness is ready at once")
    func none() throws {
        let bench = try TestBench(script: "sleep 60")
        #expect(bench.device.isReady)
    }

    @Test("A line of standard output makes a device ready")
    func line() throws {
        let bench = try TestBench(
            script: "echo ready >&2; echo starting; echo all ready now; sleep 60"
        ) {
            $0.readiness = .stdoutLine("ready")
        }
        #expect(!bench.device.isReady)
        #expect(bench.run { $0.device.isReady })
        #expect(bench.notices.filter { $0 == .ready }.count == 1)
        #expect(bench.lines() == ["starting", "all ready now"])
    }

    @Test("The first packet makes a device ready")
    func packet() throws {
        let bench = try TestBench(script: "sleep 60") { $0.readiness = .firstPacket }
        #expect(!bench.device.isReady)
        bench.record(bench.device.recordPacket() + bench.device.recordPacket())
        #expect(bench.notices == [.ready])
    }

    /// The port that the system gave to a socket.
    private func port(of socket: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(socket, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Binds or connects a new socket to a loopback port.
    private func makeSocket(
        _ port: UInt16, _ attach: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = attach(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return number
    }

    @Test("An open port makes a device ready, without a connection to it")
    func port() throws {
        let listener = makeSocket(0, bind)
        defer { close(listener) }
        let number = port(of: listener)
        let bench = try TestBench(script: "sleep 60") { $0.readiness = .portOpen(number) }
        #expect(!bench.run(within: .milliseconds(100)) { $0.device.isReady })
        listen(listener, 1)
        #expect(bench.run { $0.device.isReady })
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        #expect(accept(listener, nil, nil) == -1)
    }

    @Test("The port of an outgoing connection does not make a device ready")
    func outgoingPort() throws {
        let listener = makeSocket(0, bind)
        listen(listener, 1)
        let client = makeSocket(port(of: listener), connect)
        defer {
            close(client)
            close(listener)
        }
        let number = port(of: client)
        let bench = try TestBench(script: "sleep 60") { $0.readiness = .portOpen(number) }
        #expect(!bench.run(within: .milliseconds(100)) { $0.device.isReady })
    }

    @Test("Missing readiness is reported once, after its timeout")
    func timeout() throws {
        let bench = try TestBench(script: "sleep 60") {
            $0.readiness = .stdoutLine("ready")
            $0.readyTimeout = .milliseconds(50)
        }
        #expect(bench.run { !$0.notices.isEmpty })
        #expect(!bench.run(within: .milliseconds(100)) { $0.notices.count > 1 })
        guard case .notReady(let error)? = bench.notices.first else {
            Issue.record("\(bench.notices)")
            return
        }
        #expect(error.code == .notReady)
        #expect(error.detail.contains("\"ready\""))
    }
}
