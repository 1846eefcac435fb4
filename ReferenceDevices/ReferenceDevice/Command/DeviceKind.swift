import Bluetooth
import Diffusion
import SDL
import Wire

/// The kinds of devices that `conform-device` can be; new kinds are added to this list only.
public enum DeviceKind: String, Sendable, Hashable, CaseIterable {
    /// An SDL app.
    case sdlApp = "sdl-app"
    /// A client of a session server that backs off before it reconnects.
    case sessionClient = "session-client"
    /// An SDL head unit, to which phones connect.
    case headUnit = "head-unit"
    /// An app with profile connections over Bluetooth.
    case profileApp = "profile-app"
    /// A GATT peripheral.
    case profilePeripheral = "profile-peripheral"

    /// The role of this kind of device in suites.
    public var role: String {
        switch self {
        case .sdlApp: SDLAppLifecycle.role
        case .sessionClient: SessionClient.role
        case .headUnit: SDLHeadUnit.role
        case .profileApp: ProfileApp.role
        case .profilePeripheral: ProfilePeripheral.role
        }
    }

    /// The mutants of this kind, as `conform-device mutants` lists them.
    public var mutants: [Value] {
        switch self {
        case .sdlApp: SDLAppMutant.allCases.map(\.value)
        case .sessionClient: SessionClientMutant.allCases.map(\.value)
        case .headUnit: HeadUnitMutant.allCases.map(\.value)
        case .profileApp: ProfileAppMutant.allCases.map(\.value)
        case .profilePeripheral: PeripheralMutant.allCases.map(\.value)
        }
    }

    /// The methods that a device of this kind accepts on its control channel.
    public var controls: [String] {
        switch self {
        case .sdlApp: SDLAppControl.allCases.map(\.rawValue)
        case .sessionClient: SessionControl.allCases.map(\.rawValue)
        case .headUnit: HeadUnitControl.allCases.map(\.rawValue)
        case .profileApp: ProfileControl.allCases.map(\.rawValue)
        case .profilePeripheral: PeripheralControl.allCases.map(\.rawValue)
        }
    }

    /// The help text for it, with its exit codes other than 0 and 2.
    var summary: String {
        switch self {
        case .sdlApp:
            """
            an SDL app. Its option --transport tcp|iap selects how it reaches head units: by
                connecting to one, or by accessories, over the accessory bus or, if CONFORM_CARRIER
                is iap2, over iAP2 links.
                Controls: \(controlsText).
                Exit codes: 1 no connection or no service, 3 registration refused.
            """
        case .sessionClient:
            """
            a Diffusion client that keeps a session across connection losses, as applications do.
                Controls: \(controlsText).
            """
        case .headUnit:
            """
            an SDL head unit; it listens at --host and --port, over TCP and the accessory bus.
                Controls: \(controlsText).
                Exit codes: 1 nothing can listen there.
            """
        case .profileApp:
            """
            an app with profile connections over a Bluetooth host of its own. Its controller
                listens at --host and --port (HCI in H4 framing); --report ADDRESS:PORT is where
                it reports what no packet shows, as JSON lines; --bus ADDRESS:PORT is where accessories
                listen on the accessory bus, if its configuration says that it has one.
                Controls: \(controlsText).
                Exit codes: 1 no controller.
            """
        case .profilePeripheral:
            """
            a GATT peripheral; its controller listens at --host and --port.
                Controls: \(controlsText).
                Exit codes: 1 no controller.
            """
        }
    }

    private var controlsText: String { controls.joined(separator: ", ") }
}
