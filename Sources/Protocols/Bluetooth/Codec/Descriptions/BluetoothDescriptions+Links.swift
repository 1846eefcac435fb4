import Wire

extension BluetoothDescriptions {
    /// Signalling of logical links.
    static let l2cap = ProtocolDescription(
        name: "btl2cap", firstCode: 840, title: "Bluetooth L2CAP",
        isTransport: true,
        messages: [
            signal("CommandReject", "A command was not understood.", "4.1", ["rej_reason"]),
            signal("ConnectionRequest", "Asks for a channel.", "4.2", ["psm", "scid"]),
            signal(
                "ConnectionResponse", "The answer to a ConnectionRequest.", "4.3",
                ["dcid", "scid", "result", "status"]),
            signal(
                "ConfigurationRequest", "Sets the parameters of a channel.", "4.4", ["dcid"],
                options: options),
            signal(
                "ConfigurationResponse", "The answer to a ConfigurationRequest.", "4.5",
                ["scid", "conf_result"],
                options: options),
            signal("DisconnectionRequest", "Ends a channel.", "4.6", ["dcid", "scid"]),
            signal("DisconnectionResponse", "A channel has ended.", "4.7", ["dcid", "scid"]),
            signal("EchoRequest", "Asks for an answer.", "4.8", []),
            signal("EchoResponse", "The answer to an EchoRequest.", "4.9", []),
            signal("InformationRequest", "Asks for a capability.", "4.10", ["info_type"]),
            signal(
                "InformationResponse", "The answer to an InformationRequest.", "4.11",
                ["info_type", "info_result"]),
            signal(
                "ConnectionParameterUpdateRequest",
                "A peripheral asks for other parameters of its link.", "4.20",
                ["min_interval", "max_interval", "slave_latency", "timeout_multiplier"]),
            signal(
                "ConnectionParameterUpdateResponse", "The answer to such a request.", "4.21",
                ["le_result"]),
            signal(
                "LECreditBasedConnectionRequest", "Asks for a credit-based channel.", "4.22",
                ["le_psm", "scid"] + credits),
            signal(
                "LECreditBasedConnectionResponse", "The answer to such a request.", "4.23",
                ["dcid"] + credits + ["le_result"]),
            signal("FlowControlCreditIndication", "Gives credits.", "4.24", ["cid", "credits"]),
            signal(
                "CreditBasedConnectionRequest", "Asks for several credit-based channels.", "4.25",
                ["le_psm"] + credits, options: [channels]),
            signal(
                "CreditBasedConnectionResponse", "The answer to such a request.", "4.26",
                credits + ["le_result"], options: [channels]),
            signal(
                "CreditBasedReconfigureRequest", "Changes the parameters of channels.", "4.27",
                ["option_mtu", "mps"], options: [channels]),
            signal(
                "CreditBasedReconfigureResponse", "The answer to such a request.", "4.28",
                ["le_result"]),
            signal("Command", "An unknown command.", "4", ["cmd_code"]),
            message(
                "btl2cap.malformed", "Bytes that are not an L2CAP unit.",
                "Core 5.4 Vol 3 Part A 3.1", [error]),
        ], fields: [FieldDescription("btl2cap.cmd_data", .bytes)])

    private static let credits = ["option_mtu", "mps", "initial_credits"]
    private static let options = [
        number("btl2cap.option_mtu"), number("btl2cap.option_flushto"),
        number("btl2cap.retransmissionmode"),
    ]
    private static let channels = FieldDescription(
        "btl2cap.cids", .array(of: .integer(0...0xFFFF), count: nil))

    private static func signal(
        _ name: String, _ summary: String, _ section: String, _ fields: [String],
        options: [FieldDescription] = []
    ) -> MessageDescription {
        message(
            "btl2cap.\(name)", summary, "Core 5.4 Vol 3 Part A \(section)",
            (["cmd_ident"] + fields).map {
                FieldDescription("btl2cap.\($0)", .integer(0...0xFFFF), isMandatory: true)
            } + options)
    }

    /// Frames of serial channels.
    static let rfcomm = ProtocolDescription(
        name: "btrfcomm", firstCode: 880, title: "Bluetooth RFCOMM",
        isTransport: true,
        messages: [
            message("btrfcomm.SABM", "Opens a channel.", "TS 07.10 5.3.1", frame),
            message("btrfcomm.UA", "Accepts a SABM or DISC.", "TS 07.10 5.3.2", frame),
            message("btrfcomm.DM", "There is no such channel.", "TS 07.10 5.3.3", frame),
            message("btrfcomm.DISC", "Ends a channel.", "TS 07.10 5.3.4", frame),
            message(
                "btrfcomm.PN", "Negotiates the parameters of a channel.", "TS 07.10 5.4.6.3.1",
                channelCommand + [
                    number("btrfcomm.max_frame_size"), number("btrfcomm.credits", 0...255),
                ]),
            message("btrfcomm.TEST", "Asks for an answer.", "TS 07.10 5.4.6.3.4", command),
            message("btrfcomm.FCON", "Lets all channels send.", "TS 07.10 5.4.6.3.5", command),
            message("btrfcomm.FCOFF", "Stops all channels.", "TS 07.10 5.4.6.3.6", command),
            message(
                "btrfcomm.MSC", "The state of a channel's signals.", "TS 07.10 5.4.6.3.7",
                channelCommand),
            message(
                "btrfcomm.NSC", "A command was not understood.", "TS 07.10 5.4.6.3.8", command),
            message("btrfcomm.RPN", "The parameters of a port.", "TS 07.10 5.4.6.3.9", command),
            message("btrfcomm.RLS", "An error of a line.", "TS 07.10 5.4.6.3.10", command),
            message(
                "btrfcomm.command", "An unknown command.", "TS 07.10 5.4.6.3", command),
            message(
                "btrfcomm.data", "Bytes of a channel in which no protocol was recognised.",
                "RFCOMM 1.2", [dlci, serialChannel, length, data]),
            message("btrfcomm.malformed", "Bytes that are not a frame.", "TS 07.10 5.2", [error]),
        ], fields: [])

    private static let dlci = FieldDescription(
        "btrfcomm.dlci", .integer(0...63), isMandatory: true)
    private static let serialChannel = FieldDescription(
        "btrfcomm.channel", .integer(0...31), isMandatory: true)
    private static let length = FieldDescription(
        "btrfcomm.len", .integer(0...0x7FFF), isMandatory: true)
    private static let frame = [
        dlci, serialChannel, length,
        FieldDescription("btrfcomm.frame_type", .integer(0...255), isMandatory: true),
        FieldDescription("btrfcomm.cr", .boolean, isMandatory: true),
        FieldDescription("btrfcomm.pf", .boolean, isMandatory: true),
    ]
    private static let command = [
        FieldDescription("btrfcomm.mcc.cmd", .integer(0...63), isMandatory: true),
        FieldDescription("btrfcomm.mcc.cr", .boolean, isMandatory: true), data,
    ]
    private static let channelCommand =
        command + [number("btrfcomm.mcc.dlci", 0...63), number("btrfcomm.mcc.channel", 0...31)]
}
