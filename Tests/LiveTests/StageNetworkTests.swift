import Capture
import TCPIP
import TestBench
import Testing
import Trace

@testable import Devices
@testable import Live

@Suite("The network between peers and an attached device")
struct StageNetworkTests {
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test("Peers listen at the first address of the interface, and each calling peer has its own")
    func addresses() throws {
        let own = try ["10.0.0.1", "10.0.0.3", "10.0.0.4"].map(address)
        let device = try address("10.0.0.7")
        let network = CaseNetwork(
            usesOwnPorts: true,
            bench: .init(interface: "eth1", device: device, own: own, broadcast: nil))
        #expect(network.address(ofDevice: 0) == own[0] && network.home(ofDevice: 0) == device)
        func caller(_ place: Int, _ listens: Bool) throws -> IPAddress {
            try network.address(
                ofPeer: place, caller: place, ofDevice: 0, besideListeners: listens)
        }
        #expect(try caller(0, false) == own[0] && caller(0, true) == own[1])
        #expect(try caller(1, true) == own[2])
        let error = #expect(throws: WorkerError.self) { try caller(2, true) }
        #expect(error?.detail.contains("needs 4 addresses on eth1") == true)
        #expect(try network.shared == [address("255.255.255.255")])
    }

    @Test("On the loopback, each device and each peer has its own 127.x address")
    func loopback() throws {
        let network = CaseNetwork.loopback(isOwn: true)
        #expect(network.address(ofDevice: 0) == .loopback)
        #expect(try network.home(ofDevice: 1) == address("127.0.0.2"))
        #expect(
            try network.address(ofPeer: 1, caller: 0, ofDevice: 2, besideListeners: true)
                == address("127.1.2.2"))
        #expect(try network.shared == ["127.255.255.255", "255.255.255.255"].map(address))
    }

    @Test("An interface that does not exist, or has no address of the device's family, is an error")
    func interfaces() {
        for (device, interface) in [("10.0.0.7", "cfnone"), ("2001:db8::7", "cfnone")] {
            let error = #expect(throws: WorkerError.self) {
                try CaseNetwork.bench(.init(address: device, interface: interface))
            }
            #expect(error?.detail.contains("ip address add") == true)
        }
        #expect(InterfaceAddress.all.contains { $0.interface == "lo" && $0.address == .loopback })
    }

    @Test("Packets of a connection count from its SYN on, and packets other than TCP always count")
    func fresh() {
        var fresh = FreshConnections()
        func isOlder(_ bytes: [UInt8]) -> Bool {
            fresh.isOlder(
                Packet(bytes.span.bytes, timestamp: 0, index: 1, linkType: LinkType(rawValue: 101)))
        }
        let segments = Segment.opening(extra: 0).map(\.bytes)
        #expect(isOlder(segments[2]) && isOlder(segments[3]) && isOlder(segments[4]))
        #expect(!isOlder(segments[0]))
        for segment in segments { #expect(!isOlder(segment)) }
        #expect(isOlder(Segment(sequence: 1, serverPort: 80).bytes))
        for count in 0..<segments[0].count { _ = isOlder(Array(segments[0][..<count])) }
        #expect(!isOlder([0x45, 0, 0]) && !isOlder([]))
    }
}
