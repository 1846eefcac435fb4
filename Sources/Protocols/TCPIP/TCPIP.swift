import Wire

/// The Internet protocols as the rest of the harness uses them.
public enum TCPIP {
    /// What they offer: events of connections, datagrams, and reports that a destination is not
    /// reachable.
    public static let module = ProtocolModule([
        TCPEvent.description, UDPDatagram.description, ICMPUnreachable.description,
    ])
}
