import BuiltInProtocols
import Commands
import EchoPeer
import EchoProtocol
import Peers
import Wire

// `conform` with one protocol and one kind of peer more.
let peers = PeerFactory(PeerModule.builtIn + [.echoServer])
let protocols = ProtocolRegistry(
    ProtocolModule.builtIn + [EchoProtocol.module], peers: peers.kinds)
Program(protocols: protocols, peers: peers).run()
