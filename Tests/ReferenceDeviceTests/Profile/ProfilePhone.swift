import Bluetooth
import BluetoothPeers
import Wire

@testable import conform_device

/// An app with profile connections on its own air, and a clock that tests set.
struct ProfilePhone {
    var app: ProfileApp
    var air: Air
    private(set) var now: Int64 = 0
    /// The reports of the app.
    private(set) var reports: [(name: String, fields: Value)] = []
    /// The opcodes of the commands to its controller.
    private(set) var commands: [UInt16] = []
    private(set) var hasCrashed = false
    /// The answers to controls.
    private(set) var answers: [Value] = []
    private var timers: [ProfileTimer: Int64] = [:]
    private var waiting: [[UInt8]] = []

    static let band = DeviceAddress(0xC411_1111_1111, isRandom: true)
    static let bandText = "c4:11:11:11:11:11"
    static let service = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    static let takes = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    static let notifies = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

    static func configuration(_ members: KeyValuePairs<String, Value> = [:]) -> ProfileConfiguration
    {
        let band: Value = [
            "name": "Band", "serviceUUIDsInADV": [.string(service)],
            "interestedServiceUUIDs": [.string(service)], "subscribes": [.string(notifies)],
            "reads": ["2A26"], "writes": .string(takes),
        ]
        let document = Value.object(
            [Value.Member("classes", [band])] + members.map { Value.Member($0.key, $0.value) })
        return (try? ProfileConfiguration(document: document)) ?? ProfileConfiguration()
    }

    static func settings(_ change: (inout Peripheral.Settings) -> Void = { _ in }) -> Peripheral {
        var settings = Peripheral.Settings(band)
        var advertising = RemoteAdvertising()
        let uuid = BluetoothUUID(service) ?? BluetoothUUID(0)
        advertising.data = [17, 7] + uuid.longBytes
        settings.advertising = advertising
        var written = GATTCharacteristic(BluetoothUUID(takes) ?? BluetoothUUID(0), [.write])
        let notifying = BluetoothUUID(notifies) ?? BluetoothUUID(0)
        written.answer = GATTCharacteristic.Answer(through: notifying, value: nil)
        settings.services = [
            GATTService(
                uuid,
                [
                    GATTCharacteristic(notifying, [.notify]), written,
                    GATTCharacteristic(BluetoothUUID(0x2A26), [.read], value: Array("1.2.3".utf8)),
                ])
        ]
        change(&settings)
        return Peripheral(settings)
    }

    init(
        _ controller: ControllerSettings = ControllerSettings(),
        configuration: ProfileConfiguration = configuration(), mutant: ProfileAppMutant? = nil,
        isMute: Bool = false, devices: [any RemoteDevice] = [settings()]
    ) {
        app = ProfileApp(configuration: configuration, mutant: mutant)
        air = Air(controller, isMute: isMute)
        for (index, device) in devices.enumerated() { air.add(device, named: "device\(index)") }
        air.connect(host: 0)
        input(.started)
        input(.connected(.reports))
        input(.connected(.controller))
    }

    /// Feeds an input and everything that immediately follows from it.
    mutating func input(_ first: DeviceInput<ProfileLink, ProfileTimer>) {
        var inputs = [first]
        while !inputs.isEmpty {
            for action in app.handle(inputs.removeFirst(), at: now) {
                perform(action)
            }
            for bytes in takeAir() { inputs.append(.received(.controller, bytes)) }
        }
    }

    private mutating func takeAir() -> [[UInt8]] { air.takePackets().map(\.bytes) }

    private mutating func perform(_ action: DeviceAction<ProfileLink, ProfileTimer>) {
        switch action {
        case .send(.controller, let bytes):
            if bytes.first == 1 { commands.append(UInt16(bytes[1]) | UInt16(bytes[2]) << 8) }
            air.receive(bytes, of: 0)
        case .send(.reports, let bytes):
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard let value = try? Value(json: String(decoding: line, as: UTF8.self)) else {
                    continue
                }
                reports.append((value["profile"]?.stringValue ?? "", value))
            }
        case .startTimer(let timer, let deadline): timers[timer] = deadline
        case .stopTimer(let timer): timers[timer] = nil
        case .harm: hasCrashed = true
        case .answer(let answer): answers.append(answer)
        case .connect, .close, .send(.accessories, _), .suspend, .resume, .log, .keep, .exit: break
        }
    }

    /// Lets time pass.
    mutating func wait(milliseconds: Int64) {
        let end = now + milliseconds * 1_000_000
        while true {
            let due = [air.nextDeadline, timers.values.min()].compactMap(\.self).min()
            guard let due, due <= end else { break }
            now = max(now, due)
            air.advance(to: now)
            for bytes in takeAir() { input(.received(.controller, bytes)) }
            for timer in timers.filter({ $0.value <= now }).keys {
                timers[timer] = nil
                input(.timerFired(timer))
            }
        }
        now = end
        air.advance(to: now)
        for bytes in takeAir() { input(.received(.controller, bytes)) }
    }

    mutating func control(_ method: String, _ params: Value = [:]) {
        let request: Value = [
            "jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params,
        ]
        input(.controlLine(request.jsonText()))
    }

    mutating func accessory(_ body: (inout Accessory) -> Void) {
        air.with("device0", as: Accessory.self, do: body)
        for bytes in takeAir() { input(.received(.controller, bytes)) }
    }

    mutating func band(_ body: (inout Peripheral) -> Void) {
        air.with("device0", as: Peripheral.self, do: body)
        for bytes in takeAir() { input(.received(.controller, bytes)) }
    }

    /// Finds the band and activates its connection.
    mutating func activate() {
        control("scan")
        wait(milliseconds: 100)
        control("activate", ["object": .string(Self.bandText)])
        wait(milliseconds: 100)
    }

    var names: [String] { reports.map(\.name) }
}
