import Foundation
import TestSupport
import Testing
import Wire

@Suite("Datagrams that a device gives the kernel as one packet (UDP_SEGMENT)")
struct SegmentationTests {
    private static let suite = """
        conform: 1
        suite: segments
        title: A client asks twice
        requirements: [\(ConformProgram.root)/Suites/requirements/change-registration.yaml]
        device: {role: udp.client}
        peers: {server: {is: udp.server, port: 5300}}
        defaults: {within: 5s, quiet: 200ms, timeout: 20s}
        cases:
          - id: asks
            title: It asks twice, and never stops
            checks: [CRM-1]
            never: [{message: udp.datagram, where: {text: "STOP1"}, checks: [CRM-1]}]
            ignore: [{message: udp.datagram, where: {text: {starts: STOP}}}]
            steps:
              - {expect: udp.datagram, where: {text: "ASK 1"}}
              - {expect: udp.datagram, where: {text: "ASK 2"}}
        """

    /// Sends texts of five bytes each, as one packet.
    private static let device = """
        import socket, sys, time
        device = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        device.setsockopt(socket.IPPROTO_UDP, 103, 5)
        device.sendto(sys.argv[1].replace("_", " ").encode(), (sys.argv[2], int(sys.argv[3])))
        time.sleep(5)
        """

    @Test(
        "Each of them is captured and judged",
        arguments: [("ASK_1ASK_2", "pass", 0), ("ASK_1ASK_2STOP1STOP1", "fail", 3)])
    func segments(_ texts: String, _ verdict: String, _ frame: Int64) throws {
        let folder = TemporaryFolder.lasting()
        for (name, text) in [("suite.yaml", Self.suite), ("device.py", Self.device)] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let run = try ConformProgram.run([
            "run", folder + "/suite.yaml", "--reports", folder + "/run", "--device",
            "command:/usr/bin/python3 \(folder)/device.py \(texts) ${host} ${port}",
        ])
        let json = try Data(contentsOf: URL(filePath: folder + "/run/results.json"))
        let result = try Value(json: [UInt8](json).span.bytes)["cases"]?.arrayValue?.first
        #expect(result?["verdict"]?.stringValue == verdict, "\(run.output)\(run.errors)")
        let explanation = result?["reason"]?["explanation"]
        #expect(explanation?["frames"]?.arrayValue?.first?.integerValue ?? 0 == frame, "\(json)")
    }
}
