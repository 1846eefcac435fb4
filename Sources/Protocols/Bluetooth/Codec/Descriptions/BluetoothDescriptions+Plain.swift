import Wire

// The plain layer shows what happened, whichever commands, events and packets reported it. One of
// its messages covers all the ways in which host stacks do the same, so that one suite serves
// stacks that differ.
extension BluetoothDescriptions {
    /// LE: scanning, links, advertising.
    static let le = ProtocolDescription(
        "le", firstCode: 992, title: "Bluetooth LE: what happened",
        specification: "Core 5.4 Vol 4 Part E",
        table: """
            scan 7.8.11 active:flag filter_duplicates:flag extended:flag | The host scans.
            scanStopped 7.8.11 | The host stops scanning.
            advertisement 7.7.65.2 address:text address_type:u8 event_type rssi:-128...127 \
                uuids*:text name:text data:bytes isScanResponse:flag | A device has advertised, or \
                answered a scan.
            connect 7.8.12 address:text usesAcceptList:flag | The host asks for a link.
            connectCanceled 7.8.13 | The host cancels its request for a link.
            connected 7.7.65.1 address:text handle:0...4095 role:0...1 interval status:u8 | A link \
                is established.
            connectFailed 7.7.65.1 address:text status:u8 | A link could not be set up.
            disconnect 7.1.6 handle:0...4095 address:text reason:u8 | The host ends a link.
            disconnected 7.7.5 handle:0...4095 address:text reason:u8 by:ender=device,remote,air | \
                A link has ended.
            encrypted 7.7.8 handle:0...4095 address:text status:u8 enabled:flag | A link is \
                encrypted, or could not be.
            advertise 7.8.9 uuids*:text data:bytes | The host advertises.
            advertiseStopped 7.8.9 | The host stops advertising.
            """)

    /// BR/EDR: links.
    static let bredr = ProtocolDescription(
        "bredr", firstCode: 1016, title: "Bluetooth BR/EDR: what happened",
        specification: "Core 5.4 Vol 4 Part E",
        table: """
            connect 7.1.5 address:text | The host asks for a link.
            connectCanceled 7.1.7 address:text | The host cancels its request for a link.
            connected 7.7.3 address:text handle:0...4095 role:0...1 interval status:u8 | A link is \
                established.
            connectFailed 7.7.3 address:text status:u8 | A link could not be set up.
            connectionRequest 7.7.4 address:text | A device asks for a link.
            accept 7.1.8 address:text | The host accepts a request for a link.
            reject 7.1.9 address:text reason:u8 | The host refuses a request for a link.
            disconnect 7.1.6 handle:0...4095 address:text reason:u8 | The host ends a link.
            disconnected 7.7.5 handle:0...4095 address:text reason:u8 by:ender=device,remote,air | \
                A link has ended.
            encrypted 7.7.8 handle:0...4095 address:text status:u8 enabled:flag | A link is \
                encrypted, or could not be.
            """)

    /// Operations on attributes.
    static let gatt = ProtocolDescription(
        "gatt", firstCode: 1032, title: "Bluetooth GATT: what happened",
        specification: "Core 5.4 Vol 3 Part G",
        table: """
            discover 4.4 what:discovery=services,service,included,characteristics,descriptors \
                uuid:text start end > discovered refused | A discovery begins, however many \
                requests it takes.
            discovered 4.4 what:discovery=services,service,included,characteristics,descriptors \
                uuid:text start end found[ found | handle end uuid:text ] | A discovery is over.
            subscribe 3.3.3.3 handle service:text characteristic:text bits:u8 > subscribed refused \
                | A client wants notifications or indications.
            subscribed 3.3.3.3 handle service:text characteristic:text bits:u8 | The client is \
                subscribed.
            unsubscribe 3.3.3.3 handle service:text characteristic:text bits:u8 > unsubscribed \
                refused | A client ends its subscription.
            unsubscribed 3.3.3.3 handle service:text characteristic:text bits:u8 | The \
                subscription has ended.
            read 4.8 handle service:text characteristic:text offset start end > value refused | A \
                client asks for a value.
            value 4.8 handle service:text characteristic:text value:bytes offset isPartial:flag | \
                A requested value; a long one again when it is complete.
            write 4.9 handle service:text characteristic:text value:bytes withoutResponse:flag > \
                written refused | A client writes a value.
            written 4.9 handle service:text characteristic:text | The value has been written.
            notification 4.10 handle service:text characteristic:text value:bytes | An unrequested \
                value.
            indication 4.11 handle service:text characteristic:text value:bytes > confirmation | \
                An unrequested value to be confirmed.
            confirmation 4.11 | An indication was received.
            refused 4 handle service:text characteristic:text error:u8 request:text | A request is \
                refused, except at the end of a discovery.
            """)

    /// Searches for services over BR/EDR.
    static let services = ProtocolDescription(
        "sdp", firstCode: 1056, title: "Bluetooth SDP: what happened",
        specification: "Core 5.4 Vol 3 Part B",
        table: """
            search 4.7 uuids*:text > found refused | A search for services, however many requests \
                it takes.
            found 4.7 uuids*:text handles*:integer records[ record | uuids*:text rfcomm:0...31 \
                name:text ] | The result of a search.
            refused 4.4.1 error | A search is refused.
            """)

    /// The reports of an app on its profile connections (Documentation/profile-reports.md).
    static let profile = ProtocolDescription(
        "profile", firstCode: 560, title: "Reports of an app's profile connections",
        specification: "conform profile",
        table: """
            available reports carrier:carrier=gatt,iap | A carrier can be used.
            unavailable reports carrier:carrier=gatt,iap | A carrier can no longer be used.
            discovered reports object:text carrier:carrier=gatt,iap address:text accessory:text \
                class:text rssi:-128...127 via:via=scan,retrieve,monitor,instantiate | There is an \
                object for a device.
            activating reports object:text | An activation has begun.
            activated reports object:text | An activation has succeeded.
            activationFailed reports object:text reason:text | An activation has failed.
            deactivated reports object:text | A deactivation is over.
            inactive reports object:text reason:text | An active object has become inactive \
                without a request.
            received reports object:text data:bytes | Data arrived for an object.
            sent reports object:text data:bytes | Data of an object were accepted for sending.
            refused reports object:text reason:text | Data were not sent.
            malformed reports .error!:text | A line that is not a report.
            """)
}
