import SuiteLanguage
import TCPIP

extension DeviceProfile {
    /// A source of captured packets of an attached device.
    public struct CaptureSource: Sendable, Hashable {
        /// What makes the capture.
        public enum Origin: Sendable, Hashable {
            /// `conform` on an interface of this machine.
            case interface(String)
            /// A program that writes pcap or pcapng to its standard output, with placeholders.
            case command([String])
        }

        /// The destination of UDP packets from `conform` that the capture must show.
        public struct Probe: Sendable, Hashable {
            /// The address; the capture is made on the way to it.
            public let address: IPAddress
            /// The port.
            public let port: UInt16
        }

        /// What makes the capture.
        public var origin: Origin
        /// The destination of packets that it must show; `nil` for the device.
        public var probe: Probe?
        /// How long it may show no packet although packets pass.
        public var timeout = Duration.seconds(10)

        /// Creates a source.
        public init(origin: Origin, probe: Probe? = nil) {
            self.origin = origin
            self.probe = probe
        }
    }
}

extension YAMLMappingReader {
    /// Returns the sources of packets under `capture`, one or a list; `nil` without the key.
    ///
    /// - Parameter isLaunched: Whether `conform` launches the device itself.
    mutating func capture(isLaunched: Bool) -> [DeviceProfile.CaptureSource]? {
        guard let entry = entry("capture"), let node = node("capture") else { return nil }
        if isLaunched {
            findings.report(
                "bad-value", "\"capture\" is for a device that is attached",
                at: entry.keyPosition,
                advice: "leave it out: a launched device is captured where it runs")
        }
        let nodes = node.elements ?? [node]
        if nodes.isEmpty {
            findings.report("bad-value", "\"capture\" names no source", at: node.position)
        }
        return nodes.compactMap(source)
    }

    private func source(_ node: YAMLNode) -> DeviceProfile.CaptureSource? {
        guard
            var reader = YAMLMappingReader(
                node, as: ProfileVocabulary.captureSource, findings: findings)
        else { return nil }
        let words = reader.command("command")
        let interface = reader.text("interface")
        let probe = reader.probe()
        let timeout = reader.duration("timeout")
        let isOne = reader.has("command") != reader.has("interface")
        reader.finish()
        if !isOne {
            findings.report(
                "bad-value", "a source of packets is one of \"command\" and \"interface\"",
                at: node.position)
        }
        let origin =
            words.map(DeviceProfile.CaptureSource.Origin.command)
            ?? interface.map(DeviceProfile.CaptureSource.Origin.interface)
        guard let origin else { return nil }
        var source = DeviceProfile.CaptureSource(origin: origin, probe: probe)
        source.timeout = timeout ?? source.timeout
        return source
    }

    private mutating func probe() -> DeviceProfile.CaptureSource.Probe? {
        guard let text = text("probe") else { return nil }
        let parts = text.split(separator: ":")
        // Fits: a text that is not a number of 16 bits gives nil.
        if let port = parts.last.flatMap({ UInt16($0) }), port > 0, parts.count > 1,
            let address = IPAddress(
                text.dropLast(String(port).count + 1).filter { !"[]".contains($0) })
        {
            return DeviceProfile.CaptureSource.Probe(address: address, port: port)
        }
        findings.report(
            "bad-value", "\"\(text)\" is not an address with a port", at: node("probe")?.position,
            advice: "write numbers, such as 10.0.0.255:9")
        return nil
    }
}
