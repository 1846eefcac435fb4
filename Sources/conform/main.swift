import BuiltInProtocols
import Commands
import Peers
import Wire

Program(protocols: .builtIn, peers: .builtIn).run()
