import SuiteLanguage
import TCPIP
import Testing
import Trace
import Wire

@testable import Judge

/// Which endpoint is which party.
@Suite struct PartyTests {
    static let host = IPAddress(ipv4: 0x0A00_0001)
    static let place = Endpoint(address: host, port: 53)

    @Test("A TCP port and a UDP port of one number are different places")
    func transports() {
        var parties = Parties(peers: [:])
        parties.add("udp", at: Self.place, byDatagrams: true)
        parties.add("tcp", at: Self.place, byDatagrams: false)
        #expect(parties.peer(at: Self.place, byDatagrams: true) == "udp")
        #expect(parties.peer(at: Self.place, byDatagrams: false) == "tcp")
        #expect(parties.peerNames == ["tcp", "udp"])
    }

    @Test("A datagram to the port of a TCP peer is not for it if UDP peers are known")
    func strangers() {
        var parties = Parties(peers: [Self.place: "tcp"])
        #expect(parties.peer(at: Self.place, byDatagrams: true) == "tcp")
        parties.add("udp", at: Endpoint(address: Self.host, port: 99), byDatagrams: true)
        #expect(parties.peer(at: Self.place, byDatagrams: true) == nil)
    }
}
