import Wire

extension BluetoothDescriptions {
    /// Signalling of logical links.
    static let l2cap = ProtocolDescription(
        "btl2cap", firstCode: 840, title: "Bluetooth L2CAP", isTransport: true,
        specification: "Core 5.4 Vol 3 Part A", fields: "cmd_data:bytes",
        table: """
            CommandReject 4.1 cmd_ident! rej_reason! | A command was not understood.
            ConnectionRequest 4.2 cmd_ident! psm! scid! | Asks for a channel.
            ConnectionResponse 4.3 cmd_ident! dcid! scid! result! status! | The answer to a \
                ConnectionRequest.
            ConfigurationRequest 4.4 cmd_ident! dcid! option_mtu option_flushto retransmissionmode \
                | Sets the parameters of a channel.
            ConfigurationResponse 4.5 cmd_ident! scid! conf_result! option_mtu option_flushto \
                retransmissionmode | The answer to a ConfigurationRequest.
            DisconnectionRequest 4.6 cmd_ident! dcid! scid! | Ends a channel.
            DisconnectionResponse 4.7 cmd_ident! dcid! scid! | A channel has ended.
            EchoRequest 4.8 cmd_ident! | Asks for an answer.
            EchoResponse 4.9 cmd_ident! | The answer to an EchoRequest.
            InformationRequest 4.10 cmd_ident! info_type! | Asks for a capability.
            InformationResponse 4.11 cmd_ident! info_type! info_result! | The answer to an \
                InformationRequest.
            ConnectionParameterUpdateRequest 4.20 cmd_ident! min_interval! max_interval! \
                slave_latency! timeout_multiplier! | A peripheral asks for other parameters of its \
                link.
            ConnectionParameterUpdateResponse 4.21 cmd_ident! le_result! | The answer to such a \
                request.
            LECreditBasedConnectionRequest 4.22 cmd_ident! le_psm! scid! option_mtu! mps! \
                initial_credits! | Asks for a credit-based channel.
            LECreditBasedConnectionResponse 4.23 cmd_ident! dcid! option_mtu! mps! \
                initial_credits! le_result! | The answer to such a request.
            FlowControlCreditIndication 4.24 cmd_ident! cid! credits! | Gives credits.
            CreditBasedConnectionRequest 4.25 cmd_ident! le_psm! option_mtu! mps! initial_credits! \
                cids* | Asks for several credit-based channels.
            CreditBasedConnectionResponse 4.26 cmd_ident! option_mtu! mps! initial_credits! \
                le_result! cids* | The answer to such a request.
            CreditBasedReconfigureRequest 4.27 cmd_ident! option_mtu! mps! cids* | Changes the \
                parameters of channels.
            CreditBasedReconfigureResponse 4.28 cmd_ident! le_result! | The answer to such a \
                request.
            Command 4 cmd_ident! cmd_code! | An unknown command.
            malformed 3.1 .error!:text | Bytes that are not an L2CAP unit.
            """)

    /// Frames of serial channels.
    static let rfcomm = ProtocolDescription(
        "btrfcomm", firstCode: 880, title: "Bluetooth RFCOMM", isTransport: true,
        specification: "",
        table: """
            SABM TS_07.10_5.3.1 dlci!:0...63 channel!:0...31 len!:0...32767 frame_type!:u8 \
                cr!:flag pf!:flag | Opens a channel.
            UA TS_07.10_5.3.2 dlci!:0...63 channel!:0...31 len!:0...32767 frame_type!:u8 cr!:flag \
                pf!:flag | Accepts a SABM or DISC.
            DM TS_07.10_5.3.3 dlci!:0...63 channel!:0...31 len!:0...32767 frame_type!:u8 cr!:flag \
                pf!:flag | There is no such channel.
            DISC TS_07.10_5.3.4 dlci!:0...63 channel!:0...31 len!:0...32767 frame_type!:u8 \
                cr!:flag pf!:flag | Ends a channel.
            PN TS_07.10_5.4.6.3.1 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes mcc.dlci:0...63 \
                mcc.channel:0...31 max_frame_size credits:u8 | Negotiates the parameters of a \
                channel.
            TEST TS_07.10_5.4.6.3.4 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes | Asks for an answer.
            FCON TS_07.10_5.4.6.3.5 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes | Lets all channels \
                send.
            FCOFF TS_07.10_5.4.6.3.6 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes | Stops all \
                channels.
            MSC TS_07.10_5.4.6.3.7 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes mcc.dlci:0...63 \
                mcc.channel:0...31 | The state of a channel's signals.
            NSC TS_07.10_5.4.6.3.8 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes | A command was not \
                understood.
            RPN TS_07.10_5.4.6.3.9 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes | The parameters of a \
                port.
            RLS TS_07.10_5.4.6.3.10 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes | An error of a line.
            command TS_07.10_5.4.6.3 mcc.cmd!:0...63 mcc.cr!:flag .data:bytes | An unknown \
                command.
            data RFCOMM_1.2 dlci!:0...63 channel!:0...31 len!:0...32767 .data:bytes | Bytes of a \
                channel in which no protocol was recognised.
            malformed TS_07.10_5.2 .error!:text | Bytes that are not a frame.
            """)
}
