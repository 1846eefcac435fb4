/// The numbers of flows in a trace.
///
/// Flows of UDP have much greater numbers than connections, so that connections keep the numbers
/// that Wireshark gives them.
public enum FlowNumber {
    /// The number of the first UDP flow.
    public static let firstOfUDP = 1 << 40

    /// Returns whether it is a flow of UDP.
    public static func isDatagram(_ number: Int) -> Bool { number >= firstOfUDP }

    /// Returns the display filter of a flow: `tcp.stream eq 3`.
    public static func filter(_ number: Int) -> String {
        isDatagram(number)
            ? "udp.stream eq \(number - firstOfUDP)" : "tcp.stream eq \(number)"
    }

    /// Returns the text of a flow's number: `tcp.stream 3`, `udp.stream 0`.
    public static func text(_ number: Int) -> String {
        isDatagram(number) ? "udp.stream \(number - firstOfUDP)" : "tcp.stream \(number)"
    }
}
