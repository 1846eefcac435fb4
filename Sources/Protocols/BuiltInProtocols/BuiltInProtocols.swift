import Bluetooth
import Diffusion
import ExternalAccessory
import HTTP
import IAP2
import SDL
import TCPIP
import WebSocket
import Wire

extension ProtocolRegistry {
    /// Every protocol that `conform` has: the one list that a new protocol is added to.
    ///
    /// Streams are tried in this order: what rides on a WebSocket comes before it, and HTTP, which
    /// leaves their handshakes to them, after it.
    public static let builtIn = ProtocolRegistry([
        TCPIP.module, SDL.module, Diffusion.module, WebSocket.module, HTTP.module,
        .harness, ExternalAccessory.module, IAP2.module, BluetoothProtocols.module,
    ])
}
