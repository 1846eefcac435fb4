import Wire

extension BluetoothDescriptions {
    /// The reports of an app on its profile connections (Documentation/profile-reports.md).
    static let profile = ProtocolDescription(
        name: "profile", firstCode: 560, title: "Reports of an app's profile connections",
        messages: [
            report("available", "A carrier can be used.", [carrier]),
            report("unavailable", "A carrier can no longer be used.", [carrier]),
            report(
                "discovered", "There is an object for a device.",
                [
                    object, carrier, text("profile.address"), text("profile.accessory"),
                    text("profile.class"), FieldDescription("profile.rssi", .integer(-128...127)),
                    FieldDescription(
                        "profile.via",
                        .enumeration(
                            name: "via", values: ["scan", "retrieve", "monitor", "instantiate"])),
                ]),
            report("activating", "An activation has begun.", [object]),
            report("activated", "An activation has succeeded.", [object]),
            report(
                "activationFailed", "An activation has failed.", [object, text("profile.reason")]),
            report("deactivated", "A deactivation is over.", [object]),
            report(
                "inactive", "An active object has become inactive without a request.",
                [object, text("profile.reason")]),
            report("received", "Data arrived for an object.", [object, payload]),
            report("sent", "Data of an object were accepted for sending.", [object, payload]),
            report("refused", "Data were not sent.", [object, text("profile.reason")]),
            message(
                "profile.malformed", "A line that is not a report.", "conform profile reports",
                [error]),
        ], fields: [])

    private static let object = text("profile.object")
    private static let payload = FieldDescription("profile.data", .bytes)
    private static let carrier = FieldDescription(
        "profile.carrier", .enumeration(name: "carrier", values: ["gatt", "iap"]))

    private static func report(
        _ name: String, _ summary: String, _ fields: [FieldDescription]
    ) -> MessageDescription {
        message("profile.\(name)", summary, "conform profile reports", fields)
    }
}
