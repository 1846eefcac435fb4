import BuiltInProtocols
import Capture
import ExternalAccessory
import TCPIP
import TestSupport
import TestTraffic
import Testing
import Wire

@testable import Bluetooth
@testable import Trace

@Suite("Bluetooth captures")
struct BluetoothTraceTests {
    private static let address: [UInt8] = [0x00, 0x1A, 0x7D, 0xDA, 0x71, 0x13]
    private static let startService: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]

    /// Returns a link that carries `pieces` in the serial channel.
    private static func conversation(
        _ pieces: [(side: ConnectionSide, bytes: [UInt8])], fragment: Int = 48
    ) -> HCIConversation {
        var link = HCIConversation()
        link.fragment = fragment
        link.connect(address: address)
        link.openChannel()
        link.openSerial()
        for (place, piece) in pieces.enumerated() {
            link.send(piece.bytes, from: piece.side, credits: place % 2 == 0 ? 7 : nil)
        }
        return link
    }

    private static func decode(
        _ packets: [[UInt8]], linkType: LinkType = .bluetoothH4Directed
    ) -> TestBench {
        var bench = TestBench(protocols: ProtocolRegistry.builtIn.streamProtocols)
        for packet in packets { bench.consume(frame: packet, linkType: linkType) }
        bench.finish()
        return bench
    }

    /// The bytes of both iAP2 ends when an app opens a session and uses SDL in it.
    ///
    /// The phone is the capturing host.
    private static let talk: [(side: ConnectionSide, bytes: [UInt8])] = {
        var accessory = IAP2.AccessoryEnd(
            IAP2.Identification(
                name: "Head Unit", model: "HU", manufacturer: "Maker", serialNumber: "1",
                protocols: ["com.smartdevicelink.multisession"]))
        var device = IAP2.DeviceEnd()
        var written: [(side: ConnectionSide, bytes: [UInt8])] = []
        var now = Duration.zero
        func carry(
            _ accessory: inout IAP2.AccessoryEnd, _ device: inout IAP2.DeviceEnd
        ) {
            for _ in 0..<20 {
                now += .milliseconds(30)
                _ = accessory.advance(to: now)
                _ = device.advance(to: now)
                let (first, second) = (accessory.takeOutput(), device.takeOutput())
                if !first.isEmpty {
                    written.append((.second, first))
                    _ = device.receive(first, at: now)
                }
                if !second.isEmpty {
                    written.append((.first, second))
                    _ = accessory.receive(second, at: now)
                }
            }
        }
        device.start(at: now)
        accessory.start(at: now)
        carry(&accessory, &device)
        let session = device.open("com.smartdevicelink.multisession", at: now) ?? 0
        carry(&accessory, &device)
        accessory.open(session: session, at: now)
        carry(&accessory, &device)
        device.send(startService, session: session, at: now)
        carry(&accessory, &device)
        accessory.send([0x10, 7, 2, 1, 0, 0, 0, 0], session: session, at: now)
        carry(&accessory, &device)
        return written
    }()

    private static let talkNames = [
        "iap2.detection", "iap2.detection", "iap2.SYN", "iap2.SYN-ACK",
        "iap2.StartIdentification", "iap2.IdentificationInformation", "ea.connected",
        "ea.accessory",
        "iap2.IdentificationAccepted", "iap2.StartExternalAccessoryProtocolSession", "ea.open",
        "iap2.StatusExternalAccessoryProtocolSession", "ea.opened", "sdl.StartService",
        "sdl.StartServiceACK",
    ]

    @Test("SDL in iAP2 in RFCOMM in L2CAP in HCI is dissected from the link's beginning to its end")
    func everything() throws {
        var link = Self.conversation(Self.talk)
        link.disconnect(reason: 0x13)
        let bench = Self.decode(link.packets)
        #expect(
            bench.names == [
                "bthci_evt.ConnectionComplete", "bredr.connected", "btl2cap.ConnectionRequest",
                "btl2cap.ConnectionResponse", "btl2cap.ConfigurationRequest",
                "btl2cap.ConfigurationResponse", "btrfcomm.SABM", "btrfcomm.UA",
                "btrfcomm.SABM", "btrfcomm.UA",
            ] + Self.talkNames + [
                "bthci_evt.DisconnectionComplete", "ea.disconnected", "ea.close",
                "bredr.disconnected",
            ])
        let start = try #require(bench.messages.first { $0.name == "sdl.StartService" })
        #expect(start.source?.description == "hci0/rfcomm/3")
        #expect(start.destination?.description == "00:1a:7d:da:71:13/rfcomm/3")
        #expect(start.frames.count == 1)
        let path = try #require(FieldPath("bluetooth.dst"))
        #expect(TraceField(path, in: .builtIn).values(of: start) == ["00:1a:7d:da:71:13"])
        #expect(
            TraceField(try #require(FieldPath("ip.dst")), in: .builtIn).values(of: start).isEmpty)
        let close = try #require(bench.messages.first { $0.name == "ea.close" })
        #expect(close.frames == [link.packets.count])
        #expect(close.source == start.destination)
        let flows = Set(bench.messages.filter { $0.name.hasPrefix("sdl.") }.compactMap(\.flow))
        #expect(flows.count == 1)
        #expect(bench.engine.statistics.ignored.isEmpty)
    }

    @Test(
        "Units in data packets of any size are joined, also if the capture lacks the beginning",
        arguments: [5, 9, 17])
    func fragments(size: Int) throws {
        var link = HCIConversation()
        link.fragment = size
        for piece in Self.talk { link.send(piece.bytes, from: piece.side) }
        let bench = Self.decode(link.packets)
        #expect(bench.names == Self.talkNames)
        let start = try #require(bench.messages.first { $0.name == "sdl.StartService" })
        #expect(start.source?.description == "hci0/rfcomm/3")
        #expect(start.destination?.description == "hci0/11/rfcomm/3")
        // Eight bytes need at least this number of packets.
        #expect(start.frames.count >= (8 + size - 1) / size)
        #expect(start.frames == start.frames.sorted())
    }

    @Test("SDL in a serial channel without iAP2 is dissected, and other bytes are channel data")
    func plain() {
        let bench = Self.decode(
            Self.conversation([(.first, Self.startService), (.first, Self.startService)]).packets)
        #expect(bench.names.suffix(2) == ["sdl.StartService", "sdl.StartService"])
        let other = Self.decode(Self.conversation([(.second, [1, 2, 3])]).packets)
        #expect(other.names.last == "btrfcomm.data")
        #expect(other.messages.last?.content.fields["data"] == .bytes([1, 2, 3]))
    }

    @Test("The same bytes over TCP give the same messages")
    func overTCP() {
        var bench = TestBench(protocols: ProtocolRegistry.builtIn.streamProtocols)
        var conversation = Conversation(
            caller: Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 40_000),
            callee: Endpoint(address: IPAddress(ipv4: 0x0A00_0002), port: 5_000))
        var segments = conversation.handshake()
        for piece in Self.talk {
            segments.append(
                conversation.segment(
                    from: piece.side == .first ? .caller : .callee, payload: piece.bytes))
        }
        segments.append(conversation.segment(from: .callee, flags: [.fin, .ack]))
        for segment in segments { bench.consume(frame: segment.packet, linkType: .raw) }
        bench.finish()
        let names = bench.names.filter { !$0.hasPrefix("tcp.") }
        #expect(names == Self.talkNames + ["ea.disconnected", "ea.close"])
        let close = bench.messages.last { $0.name == "ea.close" }
        #expect(close?.source?.port == 5_000)
    }

    @Test("Each interface of a capture has its own controller")
    func interfaces() {
        let link = Self.conversation([(.first, Self.startService)], fragment: 12)
        var bench = TestBench(protocols: ProtocolRegistry.builtIn.streamProtocols)
        for packet in link.packets {
            for interface in 0..<2 {
                bench.consume(
                    frame: packet, linkType: .bluetoothH4Directed, interface: interface)
            }
        }
        bench.finish()
        let names = Self.decode(link.packets).names
        #expect(names.last == "sdl.StartService")
        for host in ["hci0", "hci1"] {
            let own = bench.messages.filter {
                "\($0.source.map(\.description) ?? "") \($0.destination.map(\.description) ?? "")"
                    .contains(host)
            }
            #expect(own.map(\.name) == names)
        }
        #expect(bench.messages.allSatisfy { $0.content.violation == nil })
    }

    @Test("Linux's monitor and PacketLogger formats give the same messages")
    func framings() {
        let link = Self.conversation([(.first, Self.startService)])
        let monitor = link.packets.map { packet -> [UInt8] in
            let opcode: UInt8 = packet[4] == 4 ? 3 : packet[3] == 1 ? 5 : 4
            return [0, 2, 0, opcode] + packet.dropFirst(5)
        }
        let own: [UInt8] =
            [0, 2, 0, 0, 0, 1, 6, 5, 4, 3, 2, 1] + Array("hci2".utf8) + [0, 0, 0, 0]
        let first = Self.decode([own] + monitor, linkType: .bluetoothMonitor)
        #expect(first.names.last == "sdl.StartService")
        #expect(first.messages.last?.source?.description == "01:02:03:04:05:06/rfcomm/3")
        let stamp = [UInt8](repeating: 0, count: 12)
        let snoop = ([own] + monitor).map { Array($0.prefix(4)) + stamp + $0.dropFirst(4) }
        #expect(Self.decode(snoop, linkType: .btsnoopMonitor).names == first.names)
        let bare = link.packets.map { packet -> [UInt8] in
            [0, 0, 0, packet[3] | (packet[4] == 4 ? 2 : 0)] + stamp + packet.dropFirst(5)
        }
        #expect(Self.decode(bare, linkType: .btsnoopHCI).names == first.names)
        let logger = link.packets.map { packet -> [UInt8] in
            let type: UInt8 = packet[4] == 4 ? 1 : packet[3] == 1 ? 3 : 2
            return [type] + packet.dropFirst(5)
        }
        let second = Self.decode(logger, linkType: .packetLogger)
        #expect(second.names == first.names)
    }

    @Test("Data packets without a direction are counted and not dissected")
    func directionless() {
        let packets = Self.conversation([(.first, Self.startService)]).packets.map {
            Array($0.dropFirst(4))
        }
        let bench = Self.decode(packets, linkType: .bluetoothH4)
        #expect(bench.names == ["bthci_evt.ConnectionComplete", "bredr.connected"])
        #expect(bench.engine.statistics.ignored["bluetooth hci without direction"] == 9)
    }

    @Test("Other channels and packets are counted by kind")
    func ignored() {
        var link = HCIConversation()
        link.unit([1, 2, 3], to: 4, from: .first)
        link.signal(.connectionRequest(psm: 0x19, source: 0x70), from: .first)
        link.signal(
            .connectionResponse(destination: 0x80, source: 0x70, result: 0), from: .second)
        link.unit([1], to: 0x80, from: .first)
        link.unit([1], to: 0x70, from: .second)
        link.unit([1], to: 0x99, from: .first)
        let credits = L2CAPSignal.Credits(mtu: 64, mps: 64, initial: 1)
        link.signal(.lowEnergyConnectionRequest(psm: 0x80, source: 0x71, credits), from: .first)
        link.signal(
            .lowEnergyConnectionResponse(destination: 0x81, credits, result: 0), from: .second)
        link.unit([1], to: 0x81, from: .first)
        link.unit([1], to: 0x71, from: .second)
        let bench = Self.decode(
            link.packets + [
                [0, 0, 0, 0, 3, 1], [0, 0, 0, 1, 5, 1, 0, 0, 0], [0, 0, 0, 0, 1, 3, 12, 0],
            ])
        #expect(bench.names.contains("btatt.malformed"))
        #expect(bench.engine.statistics.ignored["btl2cap psm 0x19"] == 2)
        #expect(bench.engine.statistics.ignored["btl2cap le psm 0x80"] == 2)
        #expect(bench.engine.statistics.ignored["bthci_iso"] == 1)
        #expect(bench.engine.statistics.ignored["btl2cap channel of unknown psm"] == 1)
        #expect(bench.names.last == "bthci_cmd.Reset")
        #expect(bench.engine.statistics.ignored["bthci_sco"] == 1)
    }

    @Test(
        "Arbitrary and damaged packets give messages or counts",
        arguments: 0..<20 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bench = TestBench(protocols: ProtocolRegistry.builtIn.streamProtocols)
        let packets = Self.conversation(Self.talk, fragment: 20).packets
        for var packet in packets {
            if Int.random(in: 0..<6, using: &random) == 0 {
                packet[Int.random(in: 3..<packet.count, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<12, using: &random) == 0 {
                packet = Array(packet.prefix(Int.random(in: 0..<packet.count, using: &random)))
            }
            bench.consume(frame: packet, linkType: .bluetoothH4Directed)
        }
        bench.finish()
        #expect(bench.engine.statistics.packets == packets.count)
        for message in bench.messages {
            _ = message.content.fields
            #expect(ProtocolRegistry.builtIn.message(named: message.name) != nil, "\(message.name)")
            #expect(message.source != nil)
        }
    }

    @Test("Endpoints are read back from their text")
    func endpoints() {
        for text in [
            "127.0.0.1:80", "[::1]:443", "00:1a:7d:da:71:13", "00:1a:7d:da:71:13/rfcomm/3",
            "00:1a:7d:da:71:13/l2cap/65",
        ] {
            #expect(Endpoint(text)?.description == text)
        }
        for text in ["00:1a:7d:da:71", "00:1a:7d:da:71:13/rfcomm/32", "00:1a:7d:da:71:13/x/1"] {
            #expect(Endpoint(text) == nil, "\(text)")
        }
        #expect(Endpoint("00:1a:7d:da:71:13/rfcomm/3")?.party == Endpoint("00:1a:7d:da:71:13"))
        #expect(Endpoint("10.0.0.1:80")?.party == Endpoint("10.0.0.1:0"))
    }
}
