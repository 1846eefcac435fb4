import Wire

/// The echo protocol, invented for the tutorial: a server sends back each text of a client.
public enum EchoProtocol {
    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule([description], streamProtocols: [streamProtocol])

    /// A registry with the echo protocol only.
    public static let registry = ProtocolRegistry([module])

    /// The stream protocol, which is recognised by the first two bytes.
    static let streamProtocol = StreamProtocol(
        name: "echo",
        recognises: { bytes in
            guard bytes.byteCount >= 2 else { return nil }
            let start = [UInt8](copying: bytes.extracting(first: 2))
            return start[0] == EchoMessage.mark && EchoMessage.Kind(rawValue: start[1]) != nil
        }, makeDecoder: { EchoDecoder() })

    /// The messages that suites may name.
    static let description = ProtocolDescription(
        name: "echo", firstCode: 1_100, title: "Echo",
        messages: [
            MessageDescription(
                name: "echo.request", summary: "A text that is to be repeated.",
                specification: "echo 2", fields: text, response: "echo.answer",
                senders: ["echo.client"]),
            MessageDescription(
                name: "echo.answer", summary: "The text of a request.", specification: "echo 2",
                fields: text, senders: ["echo.server"]),
            MessageDescription(
                name: "echo.malformed", summary: "Bytes that are no message.",
                specification: "echo 1",
                fields: [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ],
        fields: [FieldDescription("echo.number", .integer(0...255))],
        correlation: [FieldPath("echo.number")].compactMap(\.self))

    private static let text = [
        FieldDescription("text", .string(maxLength: 255), isMandatory: true)
    ]
}
