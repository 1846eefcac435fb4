import BuiltInProtocols
import CSandbox
import Capture
import Files
import FoundationEssentials
import Glibc
import Results
import Suites
import TCPIP
import TestSupport
import TestTraffic
import Trace
import Verdicts
import Wire

@testable import Runner

/// A suite of one case, a folder for its files, and ways to make the files that a test needs.
struct WorkBench {
    private let scratch = TemporaryFolder()
    let suite: Suite

    var folder: String { scratch.path }

    /// Where the suite stands.
    var suitePath: String { folder + "/suite.yaml" }
    /// The case.
    var testCase: TestCase { suite.cases[0] }

    init(suite text: String = Self.suite) throws {
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

    static let suite = """
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

    /// Where a program finds its order and leaves its result.
    static let mailbox = "/proc/self/fd/3"

    /// A program that stands in for a worker; `script` runs with the mailbox as descriptor 3.
    func program(_ script: String) throws -> String {
        let path = folder + "/program"
        // Written by a process of its own: a file that is open for writing in a process which forks
        // cannot be executed.
        let text = "#!/bin/sh\n\(script)\n"
        let command = "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\""
        _ = try CommandOutput.of(["/bin/sh", "-c", command, "sh", text, path])
        return path
    }

    /// Where the capture of the job goes.
    var capture: String { folder + "/captures/opens.pcapng" }

    /// The order and its job.
    func job(named name: String = "opens", stopGrace: Duration = .zero) throws -> Scheduler.Job {
        let reports = try HeldFolder(folder)
        let scratch = try reports.place(".work/\(name)", making: true)
        return Scheduler.Job(
            order: WorkerOrder(
                suite: suitePath, searchPath: [], testCase: testCase.id,
                fingerprint: suite.fingerprint,
                device: .command(["none"], features: []), scratch: scratch.path,
                reports: folder, capture: "captures/\(name).pcapng", log: "logs/\(name).log"),
            reports: reports, scratch: scratch, suite: suite, testCase: testCase,
            stopGrace: stopGrace)
    }

    /// The result of a pass as a worker writes it.
    func pass(id: String = "opens") throws -> [UInt8] {
        var result = CaseResult(
            suite: suite, testCase: testCase, verdict: .pass, reason: Reason(.setup, ""))
        result.id = id
        return Array(try JSONEncoder().encode(result))
    }

    /// Runs the job alone.
    func results(of program: String) throws -> [CaseResult] {
        var results: [CaseResult] = []
        let scheduler = try Scheduler(launcher: ScriptLauncher(program), pace: JobPace(fixed: 1))
        _ = try scheduler.run([job()]) { event in
            if case .finished(_, let result) = event { results.append(result) }
            return true
        }
        return results
    }
}

/// A TCP segment between 127.0.0.1:40000 (the device) and 127.0.0.1:12345 (the head unit).
struct Segment {
    var isFromDevice = true
    var sequence: UInt32
    var acknowledgement: UInt32 = 0
    var flags: UInt8 = 0x10
    var payload: [UInt8] = []
    var serverPort: UInt16 = 12_345
    var caller: IPAddress = .loopback

    /// The segment in an IPv4 packet.
    var bytes: [UInt8] {
        let device = Endpoint(address: caller, port: 40_000)
        let headUnit = Endpoint(address: .loopback, port: serverPort)
        return TestTraffic.Segment(
            from: isFromDevice ? device : headUnit, to: isFromDevice ? headUnit : device,
            sequence: sequence, acknowledgement: acknowledgement,
            flags: TCPFlags(rawValue: flags), payload: payload
        ).packet
    }

    /// A device that connects and opens the service; the head unit acknowledges `extra` bytes more
    /// than the capture holds.
    static func opening(extra: UInt32) -> [Segment] {
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
    /// Writes a capture of ours: a segment each millisecond, judged until two seconds later.
    func capture(
        _ segments: [Segment], dropped: Int = 0, clockStep: Duration? = nil,
        parameters: String? = nil, timeScale: TimeScale? = nil,
        events: [CaseMetadata.Event] = [], name: String = "made"
    ) throws -> String {
        let path = "\(folder)/\(name).pcapng"
        let metadata = CaseMetadata(
            conform: "0", suite: suite.id, testCase: testCase.id, device: "made",
            peers: [.init(name: "hu", address: "127.0.0.1", port: 12_345)],
            start: Timestamp(nanoseconds: 0), end: Timestamp(nanoseconds: 2_000_000_000),
            cause: .completed, dropped: dropped, clockStep: clockStep, parameters: parameters,
            timeScale: timeScale, events: events)
        let packets = segments.enumerated().map { (milliseconds: $0 + 1, bytes: $1.bytes) }
        try Self.write(packets, to: path, comments: [try metadata.sectionComment()])
        return path
    }

    /// Writes IP packets into a capture.
    static func write(
        _ packets: [(milliseconds: Int, bytes: [UInt8])], to path: String, comments: [String] = []
    ) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { close(file) }
        let raw = LinkType(rawValue: 101)
        let writer = try PcapngWriter(
            fileDescriptor: file, section: CaptureSection(comments: comments),
            interfaces: [CaptureInterface(linkType: raw)])
        for (index, packet) in packets.enumerated() {
            try writer.write(
                Packet(
                    packet.bytes.span.bytes, timestamp: Int64(packet.milliseconds) * 1_000_000,
                    index: index + 1, linkType: raw))
        }
        try writer.flush()
    }

    /// The verdict of `conform check` on a capture.
    func judge(_ path: String) throws -> CaseResult {
        try CaptureCheck(suite: suite, selection: .init())
            .judge(testCase, on: path)
    }
}

/// Starts a program that stands in for a worker.
final class ScriptLauncher: WorkerLauncher {
    private let program: String

    init(_ program: String) { self.program = program }

    var process: pid_t? { nil }

    func launch(_ files: conform_worker_files) throws(WorkerError) -> pid_t {
        var child = conform_child()
        let failure = CStrings.withArray([program]) { argv in
            var options = conform_spawn_options()
            options.argv = argv
            options.stdin_fd = files.stdin_fd
            options.stdout_fd = files.stdout_fd
            options.stderr_fd = files.stderr_fd
            options.extra_fds = files.extra_fds
            return conform_spawn(&options, &child)
        }
        guard failure == 0 else { throw WorkerError(detail: errnoText(failure)) }
        close(child.pidfd)
        return child.pid
    }
}
