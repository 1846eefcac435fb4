import Wire

extension L2CAPSignal {
    /// Returns the commands of a unit, up to the first that cannot be read.
    public static func list(_ payload: [UInt8]) -> [L2CAPSignal] {
        var reader = ByteReader(payload.span.bytes, unit: "btl2cap")
        return reader.readable { reader in try? L2CAPSignal(parsing: &reader) }
    }
}

extension RFCOMMCommand {
    /// Returns the commands of a frame, up to the first that cannot be read.
    public static func list(_ payload: [UInt8]) -> [RFCOMMCommand] {
        var reader = ByteReader(payload.span.bytes, unit: "btrfcomm")
        return reader.readable { reader in try? RFCOMMCommand(parsing: &reader) }
    }
}

extension SDPRecord {
    /// Returns the records of a list of lists of attributes; none if it cannot be read.
    public static func list(_ bytes: [UInt8]) -> [SDPRecord] {
        var reader = ByteReader(bytes.span.bytes, unit: "btsdp")
        return (try? SDPElement(parsing: &reader))?.elements.map { SDPRecord(list: $0) } ?? []
    }
}

extension ByteReader {
    /// Returns consecutive units, up to the first that cannot be read.
    fileprivate mutating func readable<Unit>(
        _ next: (inout ByteReader) -> Unit?
    ) -> [Unit] {
        var units: [Unit] = []
        while remaining > 0, let unit = next(&self) { units.append(unit) }
        return units
    }
}
