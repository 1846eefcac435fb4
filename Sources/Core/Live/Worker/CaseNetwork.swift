import Devices
import Glibc
import PeerKit
import SuiteLanguage
import TCPIP

/// The network on which the peers of a case meet its devices.
struct CaseNetwork {
    /// A real network with an attached device.
    struct Bench {
        /// The interface of this machine.
        let interface: String
        /// The device's address.
        let device: IPAddress
        /// The addresses of the interface that the device can reach, in the order of the kernel.
        let own: [IPAddress]
        /// The broadcast address of the interface's network, if it has one.
        let broadcast: IPAddress?
    }

    /// Whether the ports that the suite names are free.
    let usesOwnPorts: Bool
    /// The real network; `nil` for the loopback of this machine or of the case.
    let bench: Bench?

    /// Returns the loopback, of the case alone or of the machine.
    static func loopback(isOwn: Bool) -> CaseNetwork {
        CaseNetwork(usesOwnPorts: isOwn, bench: nil)
    }

    /// Returns the network of the interface that leads to an attached device.
    ///
    /// - Throws: `WorkerError` if it has no address from which the device can be reached.
    static func bench(_ attachment: DeviceProfile.Attachment) throws(WorkerError) -> CaseNetwork {
        guard let device = IPAddress(attachment.address) else {
            throw WorkerError(detail: "\(attachment.address) is not an IP address")
        }
        let found = InterfaceAddress.all.filter {
            $0.interface == attachment.interface && $0.address.isIPv6 == device.isIPv6
        }
        guard !found.isEmpty else {
            throw WorkerError(
                detail: "the interface \(attachment.interface) has no "
                    + "\(device.isIPv6 ? "IPv6" : "IPv4") address; give it one in the network of "
                    + "\(device): sudo ip address add ADDRESS/LENGTH dev \(attachment.interface)")
        }
        return CaseNetwork(
            usesOwnPorts: true,
            bench: Bench(
                interface: attachment.interface, device: device, own: found.map(\.address),
                broadcast: found.lazy.compactMap(\.broadcast).first))
    }

    /// Returns the address at which peers listen for a device: 127.0.0.1 for the first, and so on.
    ///
    /// On the loopback the device listens for peers at that address, too.
    func address(ofDevice index: Int) -> IPAddress {
        if let bench { return bench.own[0] }
        return index == 0 ? .loopback : IPAddress(ipv4: 0x7F00_0001 + UInt32(clamping: index))
    }

    /// Returns the address at which a device must listen for peers.
    func home(ofDevice index: Int) -> IPAddress { bench?.device ?? address(ofDevice: index) }

    /// Returns the address that a peer connects from; it shows in the trace which peer connected.
    ///
    /// On the loopback it is 127.1.0.1 for the first peer and the first device. On an interface it
    /// is one of its addresses for each peer that connects, never an address at which peers listen.
    ///
    /// - Parameters:
    ///   - number: The peer's place among all peers.
    ///   - caller: Its place among those that connect.
    ///   - index: The device's place.
    ///   - listens: Whether other peers listen.
    func address(
        ofPeer number: Int, caller: Int, ofDevice index: Int, besideListeners listens: Bool
    ) throws(WorkerError) -> IPAddress {
        guard let bench else {
            return IPAddress(
                ipv4: 0x7F01_0001 + UInt32(clamping: index) << 8 + UInt32(clamping: number))
        }
        let place = caller + (listens ? 1 : 0)
        guard place < bench.own.count else {
            throw WorkerError(
                detail: "the case needs \(place + 1) addresses on \(bench.interface), one for each "
                    + "peer that calls the device, and it has \(bench.own.count); add one: "
                    + "sudo ip address add ADDRESS/LENGTH dev \(bench.interface)")
        }
        return bench.own[place]
    }

    /// The broadcast addresses at which peers receive datagrams, in addition to a group.
    var shared: [IPAddress] {
        let own = bench.map(\.broadcast) ?? IPAddress(ipv4: 0x7FFF_FFFF)
        return [own, IPAddress(ipv4: 0xFFFF_FFFF)].compactMap(\.self)
    }
}

/// An address of an interface of this machine.
struct InterfaceAddress {
    let interface: String
    let address: IPAddress
    let broadcast: IPAddress?

    /// The addresses of all interfaces, in the order of the kernel.
    ///
    /// Link-local IPv6 addresses are left out, because such an address alone does not identify the
    /// interface.
    static var all: [InterfaceAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [InterfaceAddress] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = read(entry.ifa_addr), !address.isLinkLocal else { continue }
            let hasBroadcast = entry.ifa_flags & UInt32(IFF_BROADCAST) != 0
            found.append(
                InterfaceAddress(
                    interface: String(cString: entry.ifa_name), address: address,
                    broadcast: hasBroadcast && !address.isIPv6
                        ? read(entry.ifa_ifu.ifu_broadaddr) : nil))
        }
        return found
    }

    private static func read(_ pointer: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        guard let pointer else { return nil }
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET:
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                IPAddress(ipv4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
            }
        case AF_INET6:
            return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { bytes in
                    func half(_ from: Int) -> UInt64 {
                        bytes[from..<(from + 8)].reduce(0) { $0 << 8 | UInt64($1) }
                    }
                    return IPAddress(ipv6High: half(0), low: half(8))
                }
            }
        default: return nil
        }
    }
}

extension IPAddress {
    /// Whether it is in fe80::/10.
    fileprivate var isLinkLocal: Bool { isIPv6 && words.high >> 54 == 0x3FA }
}
