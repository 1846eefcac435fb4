import Wire

/// The Internet protocols as the rest of the harness uses them.
public enum TCPIP {
    /// Their module: events of connections, datagrams, and reports that a destination is
    /// unreachable.
    public static let module = ProtocolModule([
        TCPEvent.description, UDPDatagram.description, ICMPUnreachable.description,
    ])
}
