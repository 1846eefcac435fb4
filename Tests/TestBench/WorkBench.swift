import BuiltInProtocols
import Capture
import Glibc
import Judge
import Offline
import Results
import SuiteLanguage
import TCPIP
import TestSupport
import TestTraffic
import Trace
import Wire

/// A suite of one case, a folder for its files, and functions that create files for a test.
package struct WorkBench {
    private let scratch = TemporaryFolder()
    /// The suite.
    package let suite: Suite

    /// The folder.
    package var folder: String { scratch.path }

    /// The path of the suite.
    package var suitePath: String { folder + "/suite.yaml" }
    /// The case.
    package var testCase: TestCase { suite.cases[0] }

    /// Creates a bench with a suite, the first case of which becomes `testCase`.
    package init(suite text: String = Self.suite) throws {
        let folder = scratch.path
        try FileSystem.makeFolder(folder + "/captures")
        try FileSystem.makeFolder(folder + "/logs")
        try FileSystem.write(
            Array(
                """
                conform-requirements: 1
                document: Made up
                source: nowhere
                requirements:
                  R-1: {section: "1", text: It opens the service., wire: StartService.}
                  R-2: {section: "2", text: It registers., wire: RegisterAppInterface.}
                  R-3: {section: "3", text: It is quiet., wire: nothing.}
                """.utf8), to: folder + "/catalogue.yaml")
        try FileSystem.write(Array(text.utf8), to: folder + "/suite.yaml")
        suite = try SuiteLoader(.builtIn).load(path: folder + "/suite.yaml", searchPath: [])
    }

    /// A suite whose case opens a service.
    package static let suite = """
        conform: 1
        suite: bench
        title: A bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {unexpected: allow, quiet: 1s}
        cases:
          - id: opens
            title: It opens the service and is quiet
            checks: [R-1]
            steps:
              - expect: sdl.StartService
            never:
              - sdl.ChangeRegistration.request
        """
}

/// A TCP segment between 127.0.0.1:40000 (the device) and 127.0.0.1:12345 (the head unit).
package struct Segment {
    private let isFromDevice: Bool
    private let sequence: UInt32
    private let acknowledgement: UInt32
    private let flags: UInt8
    private let payload: [UInt8]
    private let serverPort: UInt16
    private let caller: IPAddress

    /// Creates a segment; by default a bare acknowledgement by the device.
    package init(
        isFromDevice: Bool = true, sequence: UInt32, acknowledgement: UInt32 = 0,
        flags: UInt8 = 0x10, payload: [UInt8] = [], serverPort: UInt16 = 12_345,
        caller: IPAddress = .loopback
    ) {
        self.isFromDevice = isFromDevice
        self.sequence = sequence
        self.acknowledgement = acknowledgement
        self.flags = flags
        self.payload = payload
        self.serverPort = serverPort
        self.caller = caller
    }

    /// The segment in an IPv4 packet.
    package var bytes: [UInt8] {
        let device = Endpoint(address: caller, port: 40_000)
        let headUnit = Endpoint(address: .loopback, port: serverPort)
        return TestTraffic.Segment(
            from: isFromDevice ? device : headUnit, to: isFromDevice ? headUnit : device,
            sequence: sequence, acknowledgement: acknowledgement,
            flags: TCPFlags(rawValue: flags), payload: payload
        ).packet
    }

    /// Segments of a device that connects and opens the service.
    ///
    /// The head unit acknowledges `extra` bytes more than the capture contains.
    package static func opening(extra: UInt32) -> [Segment] {
        [
            Segment(sequence: 99, flags: 0x02),
            Segment(isFromDevice: false, sequence: 499, acknowledgement: 100, flags: 0x12),
            Segment(sequence: 100, acknowledgement: 500),
            Segment(
                sequence: 100, acknowledgement: 500, flags: 0x18,
                payload: [0x10, 7, 1, 0, 0, 0, 0, 0]),
            Segment(isFromDevice: false, sequence: 500, acknowledgement: 108 + extra),
        ]
    }
}

extension WorkBench {
    /// Writes a capture with the metadata of `conform`: one segment per millisecond.
    ///
    /// The case ends at two seconds.
    package func capture(
        _ segments: [Segment], dropped: Int = 0, received: UInt64? = nil,
        clockStep: Duration? = nil,
        parameters: String? = nil, timeScale: TimeScale? = nil,
        events: [CaseMetadata.Event] = [], sent: PeerTraffic? = nil, name: String = "made"
    ) throws -> String {
        let path = "\(folder)/\(name).pcapng"
        let metadata = CaseMetadata(
            conform: "0", suite: suite.id, testCase: testCase.id, device: "made",
            peers: [.init(name: "hu", address: "127.0.0.1", port: 12_345)],
            start: Timestamp(nanoseconds: 0), end: Timestamp(nanoseconds: 2_000_000_000),
            cause: .completed, dropped: dropped, clockStep: clockStep, parameters: parameters,
            timeScale: timeScale, events: events, sent: sent)
        let packets = segments.enumerated().map { (milliseconds: $0 + 1, bytes: $1.bytes) }
        try Self.write(
            packets, to: path, comments: try metadata.sectionComments(), received: received)
        return path
    }

    /// Writes packets, of IP if nothing else is said, into a capture.
    package static func write(
        _ packets: [(milliseconds: Int, bytes: [UInt8])], to path: String, comments: [String] = [],
        linkType: LinkType = LinkType(rawValue: 101), received: UInt64? = nil
    ) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { close(file) }
        let writer = try PcapngWriter(
            fileDescriptor: file, section: CaptureSection(comments: comments),
            interfaces: [CaptureInterface(linkType: linkType)])
        for (index, packet) in packets.enumerated() {
            try writer.write(
                Packet(
                    packet.bytes.span.bytes, timestamp: Int64(packet.milliseconds) * 1_000_000,
                    index: index + 1, linkType: linkType))
        }
        if let received {
            try writer.writeStatistics(timestamp: 0, received: received, dropped: 0)
        }
        try writer.flush()
    }

    /// The verdict of `conform check` on a capture.
    package func judge(_ path: String) throws -> CaseResult {
        try CaptureCheck(suite: suite, selection: .init())
            .judge(testCase, on: path)
    }
}
