import Wire

// The plain layer shows what happened, whichever commands, events and packets reported it. One of
// its messages covers all the ways in which host stacks do the same, so that one suite serves
// stacks that differ.
extension BluetoothDescriptions {
    /// LE: scanning, links, advertising.
    static let le = ProtocolDescription(
        name: "le", firstCode: 992, title: "Bluetooth LE: what happened",
        messages: [
            le(
                "scan", "The host scans.", "7.8.11",
                [flag("le.active"), flag("le.filter_duplicates"), flag("le.extended")]),
            le("scanStopped", "The host stops scanning.", "7.8.11"),
            le(
                "advertisement", "A device has advertised, or answered a scan.", "7.7.65.2",
                [
                    address("le"), number("le.address_type", 0...255), number("le.event_type"),
                    FieldDescription("le.rssi", .integer(-128...127)), uuids("le.uuids"),
                    text("le.name"), FieldDescription("le.data", .bytes),
                    flag("le.isScanResponse"),
                ]),
            le(
                "connect", "The host asks for a link.", "7.8.12",
                [address("le"), flag("le.usesAcceptList")]),
            le("connectCanceled", "The host cancels its request for a link.", "7.8.13"),
            le(
                "connected", "A link is established.", "7.7.65.1",
                [
                    address("le"), linkHandle("le"), number("le.role", 0...1),
                    number("le.interval"), number("le.status", 0...255),
                ]),
            le(
                "connectFailed", "A link could not be set up.", "7.7.65.1",
                [address("le"), number("le.status", 0...255)]),
            le("disconnect", "The host ends a link.", "7.1.6", ending("le")),
            le(
                "disconnected", "A link has ended.", "7.7.5",
                ending("le") + [ender("le")]),
            le("encrypted", "A link is encrypted, or could not be.", "7.7.8", encryption("le")),
            le(
                "advertise", "The host advertises.", "7.8.9",
                [uuids("le.uuids"), FieldDescription("le.data", .bytes)]),
            le("advertiseStopped", "The host stops advertising.", "7.8.9"),
        ], fields: [])

    /// BR/EDR: links.
    static let bredr = ProtocolDescription(
        name: "bredr", firstCode: 1016, title: "Bluetooth BR/EDR: what happened",
        messages: [
            bredr("connect", "The host asks for a link.", "7.1.5", [address("bredr")]),
            bredr(
                "connectCanceled", "The host cancels its request for a link.", "7.1.7",
                [address("bredr")]),
            bredr(
                "connected", "A link is established.", "7.7.3",
                [
                    address("bredr"), linkHandle("bredr"), number("bredr.role", 0...1),
                    number("bredr.interval"), number("bredr.status", 0...255),
                ]),
            bredr(
                "connectFailed", "A link could not be set up.", "7.7.3",
                [address("bredr"), number("bredr.status", 0...255)]),
            bredr(
                "connectionRequest", "A device asks for a link.", "7.7.4", [address("bredr")]),
            bredr("accept", "The host accepts a request for a link.", "7.1.8", [address("bredr")]),
            bredr(
                "reject", "The host refuses a request for a link.", "7.1.9",
                [address("bredr"), number("bredr.reason", 0...255)]),
            bredr("disconnect", "The host ends a link.", "7.1.6", ending("bredr")),
            bredr(
                "disconnected", "A link has ended.", "7.7.5",
                ending("bredr") + [ender("bredr")]),
            bredr(
                "encrypted", "A link is encrypted, or could not be.", "7.7.8",
                encryption("bredr")),
        ], fields: [])

    /// Operations on attributes.
    static let gatt = ProtocolDescription(
        name: "gatt", firstCode: 1032, title: "Bluetooth GATT: what happened",
        messages: [
            gatt(
                "discover", "A discovery begins, however many requests it takes.", "4.4",
                discovery, response: "gatt.discovered", refusal: "gatt.refused"),
            gatt(
                "discovered", "A discovery is over.", "4.4",
                discovery + [
                    FieldDescription(
                        "gatt.found",
                        .array(
                            of: .structure(
                                name: "found",
                                fields: [number("handle"), number("end"), text("uuid")]),
                            count: nil))
                ]),
            gatt(
                "subscribe", "A client wants notifications or indications.", "3.3.3.3",
                attribute + [bits], response: "gatt.subscribed", refusal: "gatt.refused"),
            gatt("subscribed", "The client is subscribed.", "3.3.3.3", attribute + [bits]),
            gatt(
                "unsubscribe", "A client ends its subscription.", "3.3.3.3", attribute + [bits],
                response: "gatt.unsubscribed", refusal: "gatt.refused"),
            gatt("unsubscribed", "The subscription has ended.", "3.3.3.3", attribute + [bits]),
            gatt(
                "read", "A client asks for a value.", "4.8",
                attribute + [number("gatt.offset"), number("gatt.start"), number("gatt.end")],
                response: "gatt.value", refusal: "gatt.refused"),
            gatt(
                "value", "A requested value; a long one again when it is complete.", "4.8",
                attribute + [value, number("gatt.offset"), flag("gatt.isPartial")]),
            gatt(
                "write", "A client writes a value.", "4.9",
                attribute + [value, flag("gatt.withoutResponse")], response: "gatt.written",
                refusal: "gatt.refused"),
            gatt("written", "The value has been written.", "4.9", attribute),
            gatt("notification", "An unrequested value.", "4.10", attribute + [value]),
            gatt(
                "indication", "An unrequested value to be confirmed.", "4.11", attribute + [value],
                response: "gatt.confirmation"),
            gatt("confirmation", "An indication was received.", "4.11"),
            gatt(
                "refused", "A request is refused, except at the end of a discovery.", "4",
                attribute + [number("gatt.error", 0...255), text("gatt.request")]),
        ], fields: [])

    /// Searches for services over BR/EDR.
    static let services = ProtocolDescription(
        name: "sdp", firstCode: 1056, title: "Bluetooth SDP: what happened",
        messages: [
            message(
                "sdp.search", "A search for services, however many requests it takes.",
                "Core 5.4 Vol 3 Part B 4.7", [uuids("sdp.uuids")], response: "sdp.found",
                refusal: "sdp.refused"),
            message(
                "sdp.found", "The result of a search.", "Core 5.4 Vol 3 Part B 4.7",
                [
                    uuids("sdp.uuids"),
                    FieldDescription("sdp.handles", .array(of: .integer(nil), count: nil)),
                    FieldDescription(
                        "sdp.records",
                        .array(
                            of: .structure(
                                name: "record",
                                fields: [uuids("uuids"), number("rfcomm", 0...31), text("name")]),
                            count: nil)),
                ]),
            message(
                "sdp.refused", "A search is refused.", "Core 5.4 Vol 3 Part B 4.4.1",
                [number("sdp.error")]),
        ], fields: [])
}

// MARK: - Parts

extension BluetoothDescriptions {
    private static func flag(_ path: String) -> FieldDescription {
        FieldDescription(path, .boolean)
    }

    private static func address(_ family: String) -> FieldDescription { text("\(family).address") }

    private static func linkHandle(_ family: String) -> FieldDescription {
        number("\(family).handle", 0...0x0FFF)
    }

    private static func ending(_ family: String) -> [FieldDescription] {
        [linkHandle(family), address(family), number("\(family).reason", 0...255)]
    }

    private static func ender(_ family: String) -> FieldDescription {
        FieldDescription(
            "\(family).by", .enumeration(name: "ender", values: ["device", "remote", "air"]))
    }

    private static func encryption(_ family: String) -> [FieldDescription] {
        [
            linkHandle(family), address(family), number("\(family).status", 0...255),
            flag("\(family).enabled"),
        ]
    }

    private static let attribute = [
        number("gatt.handle"), text("gatt.service"), text("gatt.characteristic"),
    ]
    private static let value = FieldDescription("gatt.value", .bytes)
    private static let bits = number("gatt.bits", 0...255)
    private static let discovery = [
        FieldDescription(
            "gatt.what",
            .enumeration(
                name: "discovery",
                values: ["services", "service", "included", "characteristics", "descriptors"])),
        text("gatt.uuid"), number("gatt.start"), number("gatt.end"),
    ]

    private static func le(
        _ name: String, _ summary: String, _ section: String, _ fields: [FieldDescription] = []
    ) -> MessageDescription {
        message("le.\(name)", summary, "Core 5.4 Vol 4 Part E \(section)", fields)
    }

    private static func bredr(
        _ name: String, _ summary: String, _ section: String, _ fields: [FieldDescription]
    ) -> MessageDescription {
        message("bredr.\(name)", summary, "Core 5.4 Vol 4 Part E \(section)", fields)
    }

    private static func gatt(
        _ name: String, _ summary: String, _ section: String, _ fields: [FieldDescription] = [],
        response: String? = nil, refusal: String? = nil
    ) -> MessageDescription {
        message(
            "gatt.\(name)", summary, "Core 5.4 Vol 3 Part G \(section)", fields,
            response: response, refusal: refusal)
    }
}
