import Bluetooth
import BuiltInProtocols
import Capture
import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@testable import Trace

/// Captures of a real host stack: as H4 over TCP, and the same packets in other formats.
@Suite("Bluetooth: captures of a real host stack")
struct RealStackTests {
    /// The folder of the captures: `CONFORM_BLUETOOTH`, or one next to the repository.
    static let folder: String? = {
        if let named = getenv("CONFORM_BLUETOOTH") { return String(cString: named) }
        guard let real = realpath(#filePath, nil) else { return nil }
        defer { free(real) }
        let root = String(cString: real).split(separator: "/").dropLast(4)
        let folder = "/" + root.joined(separator: "/") + "/../shared/bluetooth"
        return access(folder, R_OK) == 0 ? folder : nil
    }()

    static let isPresent = folder != nil
    static let reason: Comment = "no recorded captures; name their folder in CONFORM_BLUETOOTH"

    private static let service = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    private static let periA = "c4:11:11:11:11:11"
    private static let periC = "c4:33:33:33:33:33"

    private static func trace(_ name: String) throws -> RecordedTrace {
        try RecordedTrace(
            contentsOf: "\(try #require(folder))/\(name)", options: TraceOptions(.builtIn))
    }

    /// The messages of the upper layers, without those of the packets that carry them.
    private static func plain(_ trace: RecordedTrace) -> [TraceMessage] {
        let families: Set<String> = ["le", "gatt", "bredr", "sdp", "iap2", "ea"]
        return trace.messages.filter { families.contains($0.content.protocolName) }
    }

    /// Returns the name and the fields as text for a failure report.
    private static func text(_ message: TraceMessage) -> String {
        "\(message.name) \(message.content.fields.suiteText)"
    }

    private static func field(_ message: TraceMessage?, _ path: String) -> Value? {
        guard let path = FieldPath(path) else { return nil }
        return message?.content.field(path)
    }

    private static let captures = [
        "01-success", "02-no-interested-service", "04-manual-not-connected",
        "04b-manual-connected", "04c-manual-mutant-connects", "05-two-peripherals",
        "06-bredr-iap2", "08-extended-advertising",
    ]

    @Test(
        "All packets are dissected, none is malformed, and link type 201 gives the same as TCP",
        .enabled(if: isPresent, reason), arguments: captures)
    func whole(name: String) throws {
        let tcp = try Self.trace("\(name).pcap")
        let hci = try Self.trace("\(name).hci.pcap")
        for trace in [tcp, hci] {
            #expect(trace.damage == nil)
            #expect(trace.statistics.ignored.isEmpty, "\(trace.statistics.ignored)")
            #expect(trace.statistics.undecodedBytes == 0)
            #expect(!trace.messages.contains { $0.name.hasSuffix(".malformed") })
            #expect(trace.messages.allSatisfy { $0.content.anomalies.isEmpty })
        }
        #expect(Self.plain(tcp).map(Self.text) == Self.plain(hci).map(Self.text))
        // The lower layers are the same too, except for the events of TCP itself.
        let wire = tcp.messages.filter { $0.content.protocolName != "tcp" }
        #expect(wire.map(\.name) == hci.messages.map(\.name))
        #expect(hci.messages.allSatisfy { !$0.frames.isEmpty })
        let hosts = Set(tcp.messages.filter { $0.content.protocolName != "tcp" }.compactMap(\.flow))
        #expect(hosts.count == 1)
    }

    @Test(
        "btsnoop and PacketLogger give the same messages", .enabled(if: isPresent, reason),
        arguments: ["01-success", "06-bredr-iap2"], ["btsnoop", "pklg"])
    func formats(name: String, format: String) throws {
        let one = try Self.trace("\(name).hci.pcap")
        let other = try Self.trace("\(name).\(format)")
        #expect(one.messages.map(Self.text) == other.messages.map(Self.text))
        #expect(one.messages.map(\.frames) == other.messages.map(\.frames))
    }

    @Test(
        "Low Energy links give the same without directions", .enabled(if: isPresent, reason),
        arguments: ["01-success", "05-two-peripherals", "08-extended-advertising"])
    func directionless(name: String) throws {
        let path = "\(try #require(Self.folder))/\(name).hci.pcap"
        let file = try [UInt8](Data(contentsOf: URL(filePath: path)))
        var bare = file.prefix(20) + [187, 0, 0, 0]
        var rest = file.dropFirst(24)
        while rest.count >= 20 {
            let head = Array(rest.prefix(16))
            let length = Int(head[8]) | Int(head[9]) << 8
            let short = [UInt8(truncatingIfNeeded: length - 4), UInt8((length - 4) >> 8), 0, 0]
            bare += head.prefix(8) + short + short + rest.dropFirst(20).prefix(length - 4)
            rest = rest.dropFirst(16 + length)
        }
        let copy = TemporaryFolder.lasting() + "/bare.pcap"
        try Data(bare).write(to: URL(filePath: copy))
        let trace = try RecordedTrace(contentsOf: copy, options: TraceOptions(.builtIn))
        let stated = try Self.trace("\(name).hci.pcap")
        #expect(trace.messages.map(Self.text) == stated.messages.map(Self.text))
        #expect(trace.statistics.ignored.isEmpty)
    }

    @Test("01: a service's use from scan to disconnection", .enabled(if: isPresent, reason))
    func success() throws {
        let found = Self.plain(try Self.trace("01-success.hci.pcap"))
        #expect(
            found.map(\.name) == [
                "le.scan", "le.advertisement", "le.advertisement", "le.advertisement",
                "le.advertisement", "le.scanStopped", "le.connect", "le.connected",
                "gatt.discover", "gatt.discovered", "gatt.discover", "gatt.discovered",
                "gatt.discover", "gatt.discovered", "gatt.discover", "gatt.discovered",
                "gatt.subscribe", "gatt.subscribed", "gatt.read", "gatt.value", "gatt.write",
                "gatt.written", "gatt.notification", "gatt.discover", "gatt.discovered",
                "gatt.unsubscribe", "gatt.unsubscribed", "le.disconnect", "le.disconnected",
            ])
        let frames = Dictionary(found.map { ($0.name, $0.frames) }) { first, _ in first }
        let expected = [
            "le.scan": [31], "le.advertisement": [33], "le.scanStopped": [37],
            "le.connect": [39], "le.connected": [41], "gatt.discover": [45],
            "gatt.discovered": [50], "gatt.subscribe": [63], "gatt.subscribed": [65],
            "gatt.read": [66], "gatt.value": [68], "gatt.write": [69], "gatt.written": [71],
            "gatt.notification": [72], "gatt.unsubscribe": [76], "gatt.unsubscribed": [78],
            "le.disconnect": [79], "le.disconnected": [81],
        ]
        #expect(frames == expected)
        func first(_ name: String) -> TraceMessage? { found.first { $0.name == name } }
        #expect(Self.field(first("le.scan"), "le.active") == true)
        for report in found where report.name == "le.advertisement" {
            #expect(Self.field(report, "le.address") == .string(Self.periA))
            #expect(Self.field(report, "le.uuids[0]") == .string(Self.service))
            #expect(report.source?.description == Self.periA)
        }
        #expect(Self.field(first("le.connected"), "le.handle") == 1)
        let discovered = first("gatt.discovered")
        #expect(Self.field(discovered, "gatt.found[0].handle") == 0x0E)
        #expect(Self.field(discovered, "gatt.found[0].end") == 0x15)
        #expect(Self.field(first("gatt.subscribe"), "gatt.handle") == 0x11)
        #expect(Self.field(first("gatt.subscribe"), "gatt.bits") == 1)
        #expect(Self.field(first("gatt.subscribe"), "gatt.service") == .string(Self.service))
        #expect(Self.field(first("gatt.value"), "gatt.value") == .bytes(Array("1.2.3".utf8)))
        #expect(Self.field(first("gatt.write"), "gatt.value") == .bytes(Array("hello".utf8)))
        #expect(
            Self.field(first("gatt.notification"), "gatt.value")
                == .bytes(Array("echo:hello".utf8)))
        #expect(Self.field(first("le.disconnect"), "le.reason") == 0x13)
        #expect(Self.field(first("le.disconnected"), "le.by") == "device")
    }

    @Test("02: a missing service is an empty discovery", .enabled(if: isPresent, reason))
    func missing() throws {
        let found = Self.plain(try Self.trace("02-no-interested-service.hci.pcap"))
        #expect(
            found.suffix(5).map(\.name) == [
                "le.connected", "gatt.discover", "gatt.discovered", "le.disconnect",
                "le.disconnected",
            ])
        let discovered = found.first { $0.name == "gatt.discovered" }
        #expect(Self.field(discovered, "gatt.found") == .array([]))
        #expect(discovered?.frames == [47])
    }

    @Test("04, 04b, 04c: the trace does not show who owns a link", .enabled(if: isPresent, reason))
    func manual() throws {
        let none = try Self.trace("04-manual-not-connected.hci.pcap")
        #expect(Self.plain(none).isEmpty)
        let connected = Self.plain(try Self.trace("04b-manual-connected.hci.pcap"))
        let mutant = Self.plain(try Self.trace("04c-manual-mutant-connects.hci.pcap"))
        #expect(connected.map(Self.text) == mutant.map(Self.text))
        #expect(connected.filter { $0.name == "le.connect" }.map(\.frames) == [[29]])
        #expect(connected.contains { $0.name == "gatt.subscribed" })
    }

    @Test(
        "05: two links at a time, and a device without a link", .enabled(if: isPresent, reason))
    func several() throws {
        let found = Self.plain(try Self.trace("05-two-peripherals.pcap"))
        let links = found.filter { $0.name == "le.connected" }
        #expect(
            links.map { Self.field($0, "le.address") } == [
                .string(Self.periA), .string(Self.periC),
            ])
        #expect(links.map { Self.field($0, "le.handle") } == [1, 2])
        let advertised = found.filter { $0.name == "le.advertisement" }
        #expect(Set(advertised.compactMap { Self.field($0, "le.address")?.stringValue }).count == 3)
        // The endpoint opposite the host on a link is its device.
        let written = found.filter { $0.name == "gatt.written" }
        #expect(written.map { $0.source?.party.description } == [Self.periA, Self.periC])
        #expect(Set(written.map { $0.destination?.description }).count == 1)
        let address = try #require(FieldPath("bluetooth.src"))
        #expect(
            TraceField(address, in: .builtIn).values(of: try #require(written.first)) == [
                .string(Self.periA)
            ])
        // The second device has the same attributes as the first, but they are kept separately.
        let subscribed = found.filter { $0.name == "gatt.subscribe" }
        #expect(subscribed.count == 2)
        #expect(subscribed.allSatisfy { Self.field($0, "gatt.service") == .string(Self.service) })
    }

    @Test("06: SDP, RFCOMM, iAP2 and a session over BR/EDR", .enabled(if: isPresent, reason))
    func accessory() throws {
        let trace = try Self.trace("06-bredr-iap2.pcap")
        let found = Self.plain(trace)
        #expect(
            found.prefix(4).map(\.name) == [
                "bredr.connect", "bredr.connected", "sdp.search", "sdp.found",
            ])
        let records = found.first { $0.name == "sdp.found" }
        #expect(Self.field(records, "sdp.records[0].rfcomm") == 3)
        #expect(found.suffix(2).map(\.name) == ["bredr.disconnect", "bredr.disconnected"])
        let opened = found.first { $0.name == "ea.open" }
        #expect(Self.field(opened, "ea.protocol") == "com.rtk.datapath")
        #expect(opened?.destination?.description == "00:1a:7d:da:71:13/rfcomm/3")
        #expect(found.contains { $0.name == "ea.close" })
        let negotiated = trace.messages.first { $0.name == "btrfcomm.PN" }
        #expect(Self.field(negotiated, "btrfcomm.mcc.channel") == 3)
    }

    @Test(
        "08: extended scanning is dissected, with reports in flight after its end",
        .enabled(if: isPresent, reason))
    func extended() throws {
        let found = Self.plain(try Self.trace("08-extended-advertising.hci.pcap"))
        #expect(Self.field(found.first, "le.extended") == true)
        let stopped = try #require(found.firstIndex { $0.name == "le.scanStopped" })
        #expect(found[stopped].frames == [39])
        #expect(
            found[(stopped + 1)...].prefix(2).map(\.name) == [
                "le.advertisement", "le.advertisement",
            ])
        #expect(
            found.filter { $0.name == "le.advertisement" }.allSatisfy {
                Self.field($0, "le.uuids[0]") == .string(Self.service)
            })
    }

    @Test(
        "An exported capture equals the one of link type 201", .enabled(if: isPresent, reason),
        arguments: captures)
    func export(name: String) throws {
        let path = "\(try #require(Self.folder))/\(name).pcap"
        var packets = HCIExport(TraceOptions(.builtIn))
        try packets.read(try CaptureSeries(paths: [path]))
        let scratch = TemporaryFolder()
        let file = "\(scratch.path)/\(name).pcapng"
        try packets.write(to: file, source: path)
        let exported = try RecordedTrace(contentsOf: file, options: TraceOptions(.builtIn))
        let known = try Self.trace("\(name).hci.pcap")
        #expect(exported.messages.map(Self.text) == known.messages.map(Self.text))
        #expect(exported.messages.map(\.frames) == known.messages.map(\.frames))
        #expect(exported.metadata.interfaces.map(\.linkType) == [.bluetoothH4Directed])
    }
}
