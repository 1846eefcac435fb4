import Devices
import Glibc
import Testing

@Suite("Readiness")
struct DeviceReadinessTests {
    @Test("is there at once without a sign to wait for")
    func none() throws {
        let bench = try TestBench(script: "sleep 60")
        #expect(bench.device.isReady)
    }

    @Test("comes with a line of standard output")
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

    @Test("comes with the first packet")
    func packet() throws {
        let bench = try TestBench(script: "sleep 60") { $0.readiness = .firstPacket }
        #expect(!bench.device.isReady)
        bench.note(bench.device.notePacket() + bench.device.notePacket())
        #expect(bench.notices == [.ready])
    }

    @Test("comes when the port is open")
    func port() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = getsockname(listener, $0, &length)
            }
        }
        let bench = try TestBench(script: "sleep 60") {
            $0.readiness = .portOpen(UInt16(bigEndian: address.sin_port))
        }
        // Bound is not open.
        #expect(!bench.run(within: .milliseconds(100)) { $0.device.isReady })
        listen(listener, 1)
        #expect(bench.run { $0.device.isReady })
        // The port was not touched: nobody has come.
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        #expect(accept(listener, nil, nil) == -1)
    }

    @Test("is missed after its time, once")
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
