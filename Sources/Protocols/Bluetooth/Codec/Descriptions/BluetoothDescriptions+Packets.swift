import Wire

extension BluetoothDescriptions {
    /// The Attribute Protocol.
    static let att = ProtocolDescription(
        "btatt", firstCode: 904, title: "Bluetooth Attribute Protocol", isTransport: true,
        specification: "Core 5.4 Vol 3 Part F", fields: "opcode:u8",
        table: """
            ErrorResponse 3.4.1.1 req_opcode_in_error:u8 handle error_code:u8 | A request is \
                refused.
            ExchangeMTURequest 3.4.2.1 client_rx_mtu | The client's MTU.
            ExchangeMTUResponse 3.4.2.2 server_rx_mtu | The server's MTU.
            FindInformationRequest 3.4.3.1 starting_handle ending_handle | Asks for the types of \
                attributes.
            FindInformationResponse 3.4.3.2 information_data[ item | handle uuid16 uuid128:text ] \
                | Attributes with their types.
            FindByTypeValueRequest 3.4.3.3 starting_handle ending_handle uuid16 value:bytes | Asks \
                for attributes of a type and a value.
            FindByTypeValueResponse 3.4.3.4 handles_info[ item | starting_handle ending_handle ] | \
                The handles of such attributes.
            ReadByTypeRequest 3.4.4.1 starting_handle ending_handle uuid16 uuid128:text | Asks for \
                the values of a type.
            ReadByTypeResponse 3.4.4.2 attribute_data[ item | handle group_end_handle value:bytes \
                ] | Attributes of a type with their values.
            ReadRequest 3.4.4.3 handle | Asks for a value.
            ReadResponse 3.4.4.4 value:bytes | A value.
            ReadBlobRequest 3.4.4.5 handle offset | Asks for a part of a value.
            ReadBlobResponse 3.4.4.6 value:bytes | A part of a value.
            ReadMultipleRequest 3.4.4.7 handles* | Asks for several values.
            ReadMultipleResponse 3.4.4.8 value:bytes | Several values, one after the other.
            ReadByGroupTypeRequest 3.4.4.9 starting_handle ending_handle uuid16 uuid128:text | \
                Asks for groups of attributes.
            ReadByGroupTypeResponse 3.4.4.10 attribute_data[ item | handle group_end_handle \
                value:bytes ] | Groups of attributes.
            ReadMultipleVariableRequest 3.4.4.11 handles* | Asks for several values.
            ReadMultipleVariableResponse 3.4.4.12 values*:bytes | Several values with their \
                lengths.
            WriteRequest 3.4.5.1 handle value:bytes | Asks to write a value.
            WriteResponse 3.4.5.2 | The value has been written.
            WriteCommand 3.4.5.3 handle value:bytes | Writes a value without an answer.
            SignedWriteCommand 3.4.5.4 handle value:bytes signature:bytes | Writes a signed value \
                without an answer.
            PrepareWriteRequest 3.4.6.1 handle offset value:bytes | A part of a later write.
            PrepareWriteResponse 3.4.6.2 handle offset value:bytes | The part is stored.
            ExecuteWriteRequest 3.4.6.3 flags:u8 | Executes or cancels prepared writes.
            ExecuteWriteResponse 3.4.6.4 | The request has been executed.
            HandleValueNotification 3.4.7.1 handle value:bytes | An unrequested value.
            HandleValueIndication 3.4.7.2 handle value:bytes | An unrequested value that must be \
                confirmed.
            HandleValueConfirmation 3.4.7.3 | An indication was received.
            MultipleHandleValueNotification 3.4.7.4 attribute_data[ item | handle group_end_handle \
                value:bytes ] | Unrequested values.
            packet 3.4 value:bytes | A packet of an unknown operation.
            malformed 3.4 .error!:text | Bytes that are not a packet.
            """)

    /// The Security Manager Protocol.
    static let smp = ProtocolDescription(
        "btsmp", firstCode: 952, title: "Bluetooth Security Manager Protocol", isTransport: true,
        specification: "Core 5.4 Vol 3 Part H", fields: "opcode:u8",
        table: """
            PairingRequest 3.5.1 io_capability:u8 oob_data_flags:u8 authreq:u8 max_enc_key_size:u8 \
                initiator_key_distribution:u8 responder_key_distribution:u8 | Asks to pair.
            PairingResponse 3.5.2 io_capability:u8 oob_data_flags:u8 authreq:u8 \
                max_enc_key_size:u8 initiator_key_distribution:u8 responder_key_distribution:u8 | \
                Agrees to pair.
            PairingConfirm 3.5.3 | A confirm value.
            PairingRandom 3.5.4 | The random value of a confirm value.
            PairingFailed 3.5.5 reason:u8 | Pairing has failed.
            PairingPublicKey 3.5.6 | A public key.
            PairingDHKeyCheck 3.5.7 | A check of the common key.
            PairingKeypressNotification 3.5.8 notification_type:u8 | A key was pressed.
            EncryptionInformation 3.6.2 | The key of the link.
            CentralIdentification 3.6.3 ediv | The key's identification.
            IdentityInformation 3.6.4 | The key of private addresses.
            IdentityAddressInformation 3.6.5 address_type:u8 bd_addr:text | The address that does \
                not change.
            SigningInformation 3.6.6 | The key of signatures.
            SecurityRequest 3.6.7 authreq:u8 | A peripheral asks to pair.
            packet 3.3 | A packet of an unknown code.
            malformed 3.3 .error!:text | Bytes that are not a packet.
            """)

    /// The Service Discovery Protocol.
    static let sdp = ProtocolDescription(
        "btsdp", firstCode: 976, title: "Bluetooth Service Discovery Protocol", isTransport: true,
        specification: "Core 5.4 Vol 3 Part B", fields: "pdu:u8 tid",
        table: """
            ErrorResponse 4.4.1 error_code | A request is refused.
            ServiceSearchRequest 4.5.1 uuids*:text maximum_service_record_count | Asks for \
                records.
            ServiceSearchResponse 4.5.2 ssr.total_count records*:integer | The numbers of records.
            ServiceAttributeRequest 4.6.1 record:0...4294967295 maximum_attribute_byte_count | \
                Asks for a record's attributes.
            ServiceAttributeResponse 4.6.2 attribute_list_byte_count continuation_state.length:u8 \
                | A part of the attributes.
            ServiceSearchAttributeRequest 4.7.1 uuids*:text maximum_attribute_byte_count | Asks \
                for the attributes of records.
            ServiceSearchAttributeResponse 4.7.2 attribute_list_byte_count \
                continuation_state.length:u8 | A part of the attributes.
            packet 4.2 | A packet of an unknown kind.
            malformed 4 .error!:text | Bytes that are not a packet.
            """)
}
