import Wire

extension BluetoothDescriptions {
    /// The Attribute Protocol.
    static let att = ProtocolDescription(
        name: "btatt", firstCode: 904, title: "Bluetooth Attribute Protocol",
        isTransport: true,
        messages: [
            att(
                "ErrorResponse", "A request is refused.", "3.4.1.1",
                [
                    number("btatt.req_opcode_in_error", 0...255), handle,
                    number("btatt.error_code", 0...255),
                ]),
            att(
                "ExchangeMTURequest", "The client's MTU.", "3.4.2.1",
                [number("btatt.client_rx_mtu")]),
            att(
                "ExchangeMTUResponse", "The server's MTU.", "3.4.2.2",
                [number("btatt.server_rx_mtu")]),
            att("FindInformationRequest", "Asks for the types of attributes.", "3.4.3.1", range),
            att(
                "FindInformationResponse", "Attributes with their types.", "3.4.3.2",
                [list("btatt.information_data", [number("handle")] + type(""))]),
            att(
                "FindByTypeValueRequest", "Asks for attributes of a type and a value.", "3.4.3.3",
                range + [number("btatt.uuid16"), value]),
            att(
                "FindByTypeValueResponse", "The handles of such attributes.", "3.4.3.4",
                [list("btatt.handles_info", [number("starting_handle"), number("ending_handle")])]),
            att(
                "ReadByTypeRequest", "Asks for the values of a type.", "3.4.4.1",
                range + type("btatt.")),
            att(
                "ReadByTypeResponse", "Attributes of a type with their values.", "3.4.4.2", [items]),
            att("ReadRequest", "Asks for a value.", "3.4.4.3", [handle]),
            att("ReadResponse", "A value.", "3.4.4.4", [value]),
            att("ReadBlobRequest", "Asks for a part of a value.", "3.4.4.5", [handle, offset]),
            att("ReadBlobResponse", "A part of a value.", "3.4.4.6", [value]),
            att("ReadMultipleRequest", "Asks for several values.", "3.4.4.7", [handles]),
            att(
                "ReadMultipleResponse", "Several values, one after the other.", "3.4.4.8", [value]),
            att(
                "ReadByGroupTypeRequest", "Asks for groups of attributes.", "3.4.4.9",
                range + type("btatt.")),
            att("ReadByGroupTypeResponse", "Groups of attributes.", "3.4.4.10", [items]),
            att("ReadMultipleVariableRequest", "Asks for several values.", "3.4.4.11", [handles]),
            att(
                "ReadMultipleVariableResponse", "Several values with their lengths.", "3.4.4.12",
                [FieldDescription("btatt.values", .array(of: .bytes, count: nil))]),
            att("WriteRequest", "Asks to write a value.", "3.4.5.1", [handle, value]),
            att("WriteResponse", "The value has been written.", "3.4.5.2"),
            att("WriteCommand", "Writes a value without an answer.", "3.4.5.3", [handle, value]),
            att(
                "SignedWriteCommand", "Writes a signed value without an answer.", "3.4.5.4",
                [handle, value, FieldDescription("btatt.signature", .bytes)]),
            att(
                "PrepareWriteRequest", "A part of a later write.", "3.4.6.1",
                [handle, offset, value]),
            att("PrepareWriteResponse", "The part is stored.", "3.4.6.2", [handle, offset, value]),
            att(
                "ExecuteWriteRequest", "Executes or cancels prepared writes.", "3.4.6.3",
                [number("btatt.flags", 0...255)]),
            att("ExecuteWriteResponse", "The request has been executed.", "3.4.6.4"),
            att("HandleValueNotification", "An unrequested value.", "3.4.7.1", [handle, value]),
            att(
                "HandleValueIndication", "An unrequested value that must be confirmed.", "3.4.7.2",
                [handle, value]),
            att("HandleValueConfirmation", "An indication was received.", "3.4.7.3"),
            att("MultipleHandleValueNotification", "Unrequested values.", "3.4.7.4", [items]),
            att("packet", "A packet of an unknown operation.", "3.4", [value]),
            message(
                "btatt.malformed", "Bytes that are not a packet.", "Core 5.4 Vol 3 Part F 3.4",
                [error]
            ),
        ], fields: [number("btatt.opcode", 0...255)])

    private static let handle = number("btatt.handle")
    private static let offset = number("btatt.offset")
    private static let value = FieldDescription("btatt.value", .bytes)
    private static let range = [number("btatt.starting_handle"), number("btatt.ending_handle")]
    private static let handles = FieldDescription(
        "btatt.handles", .array(of: .integer(0...0xFFFF), count: nil))
    private static let items = list(
        "btatt.attribute_data",
        [number("handle"), number("group_end_handle"), FieldDescription("value", .bytes)])

    private static func type(_ prefix: String) -> [FieldDescription] {
        [number("\(prefix)uuid16"), text("\(prefix)uuid128")]
    }

    private static func list(_ path: String, _ fields: [FieldDescription]) -> FieldDescription {
        FieldDescription(path, .array(of: .structure(name: "item", fields: fields), count: nil))
    }

    private static func att(
        _ name: String, _ summary: String, _ section: String, _ fields: [FieldDescription] = []
    ) -> MessageDescription {
        message("btatt.\(name)", summary, "Core 5.4 Vol 3 Part F \(section)", fields)
    }

    /// The Security Manager Protocol.
    static let smp = ProtocolDescription(
        name: "btsmp", firstCode: 952, title: "Bluetooth Security Manager Protocol",
        isTransport: true,
        messages: [
            smp("PairingRequest", "Asks to pair.", "3.5.1", features),
            smp("PairingResponse", "Agrees to pair.", "3.5.2", features),
            smp("PairingConfirm", "A confirm value.", "3.5.3"),
            smp("PairingRandom", "The random value of a confirm value.", "3.5.4"),
            smp("PairingFailed", "Pairing has failed.", "3.5.5", [number("btsmp.reason", 0...255)]),
            smp("PairingPublicKey", "A public key.", "3.5.6"),
            smp("PairingDHKeyCheck", "A check of the common key.", "3.5.7"),
            smp(
                "PairingKeypressNotification", "A key was pressed.", "3.5.8",
                [number("btsmp.notification_type", 0...255)]),
            smp("EncryptionInformation", "The key of the link.", "3.6.2"),
            smp(
                "CentralIdentification", "The key's identification.", "3.6.3",
                [number("btsmp.ediv")]),
            smp("IdentityInformation", "The key of private addresses.", "3.6.4"),
            smp(
                "IdentityAddressInformation", "The address that does not change.", "3.6.5",
                [number("btsmp.address_type", 0...255), text("btsmp.bd_addr")]),
            smp("SigningInformation", "The key of signatures.", "3.6.6"),
            smp(
                "SecurityRequest", "A peripheral asks to pair.", "3.6.7",
                [number("btsmp.authreq", 0...255)]),
            smp("packet", "A packet of an unknown code.", "3.3"),
            message(
                "btsmp.malformed", "Bytes that are not a packet.", "Core 5.4 Vol 3 Part H 3.3",
                [error]
            ),
        ], fields: [number("btsmp.opcode", 0...255)])

    private static let features = [
        "io_capability", "oob_data_flags", "authreq", "max_enc_key_size",
        "initiator_key_distribution", "responder_key_distribution",
    ].map { number("btsmp.\($0)", 0...255) }

    private static func smp(
        _ name: String, _ summary: String, _ section: String, _ fields: [FieldDescription] = []
    ) -> MessageDescription {
        message("btsmp.\(name)", summary, "Core 5.4 Vol 3 Part H \(section)", fields)
    }

    /// The Service Discovery Protocol.
    static let sdp = ProtocolDescription(
        name: "btsdp", firstCode: 976, title: "Bluetooth Service Discovery Protocol",
        isTransport: true,
        messages: [
            sdp("ErrorResponse", "A request is refused.", "4.4.1", [number("btsdp.error_code")]),
            sdp(
                "ServiceSearchRequest", "Asks for records.", "4.5.1",
                [uuids("btsdp.uuids"), number("btsdp.maximum_service_record_count")]),
            sdp(
                "ServiceSearchResponse", "The numbers of records.", "4.5.2",
                [
                    number("btsdp.ssr.total_count"),
                    FieldDescription("btsdp.records", .array(of: .integer(nil), count: nil)),
                ]),
            sdp(
                "ServiceAttributeRequest", "Asks for a record's attributes.", "4.6.1",
                [
                    number("btsdp.record", 0...0xFFFF_FFFF),
                    number("btsdp.maximum_attribute_byte_count"),
                ]),
            sdp("ServiceAttributeResponse", "A part of the attributes.", "4.6.2", part),
            sdp(
                "ServiceSearchAttributeRequest", "Asks for the attributes of records.", "4.7.1",
                [uuids("btsdp.uuids"), number("btsdp.maximum_attribute_byte_count")]),
            sdp("ServiceSearchAttributeResponse", "A part of the attributes.", "4.7.2", part),
            sdp("packet", "A packet of an unknown kind.", "4.2"),
            message(
                "btsdp.malformed", "Bytes that are not a packet.", "Core 5.4 Vol 3 Part B 4",
                [error]),
        ], fields: [number("btsdp.pdu", 0...255), number("btsdp.tid")])

    private static let part = [
        number("btsdp.attribute_list_byte_count"),
        number("btsdp.continuation_state.length", 0...255),
    ]

    /// A field of UUIDs as texts of 128 bits.
    static func uuids(_ path: String) -> FieldDescription {
        FieldDescription(path, .array(of: .string(maxLength: nil), count: nil))
    }

    private static func sdp(
        _ name: String, _ summary: String, _ section: String, _ fields: [FieldDescription] = []
    ) -> MessageDescription {
        message("btsdp.\(name)", summary, "Core 5.4 Vol 3 Part B \(section)", fields)
    }
}
