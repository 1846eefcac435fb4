import Wire

extension WebSocket {
    /// A check of a head of the handshake for what its sender may not write.
    struct HandshakeCheck {
        let head: HTTPHead
        /// The head on the wire.
        let bytes: [UInt8]
        /// The request that a response answers; `nil` if it was not seen, and for a request.
        let request: HTTPHead?

        /// The violations; empty for a valid head.
        var anomalies: [Anomaly] {
            var found = HTTP.HeaderCheck(head: head, bytes: bytes).anomalies
            func note(_ text: String, _ section: String) {
                found.append(Anomaly(.violation, text, specification: "RFC 6455 \(section)"))
            }
            if let flaw = flawOfDeflate {
                found.append(Anomaly(.violation, flaw, specification: "RFC 7692 7.1"))
            }
            switch head.start {
            case .request(let method, _): checkRequest(method, note)
            case .response where head.isWebSocket: checkResponse(note)
            case .response: break
            }
            return found
        }

        /// What is wrong with the offers of `permessage-deflate`, or with the answer to them.
        private var flawOfDeflate: String? {
            func named(_ head: HTTPHead) -> [[HTTPHead.Field]] {
                head.webSocketExtensions.filter { $0.first?.name == PerMessageDeflate.name }
            }
            if case .request = head.start {
                return named(head).lazy.compactMap(PerMessageDeflate.flaw).first
                    .map { "permessage-deflate is offered with \($0)" }
            }
            guard head.isWebSocket, let answer = named(head).first else { return nil }
            if case .unreadable(let why) = Agreement(head) { return why }
            guard let offers = request.map(named), !offers.isEmpty,
                !offers.contains(where: { PerMessageDeflate.accepts($0, answer) })
            else { return nil }
            return "the parameters of permessage-deflate fit no offer"
        }

        private func checkRequest(_ method: String, _ note: (String, String) -> Void) {
            if method != "GET" { note("the handshake is \(method), not GET", "4.1") }
            if head.minorVersion < 1 { note("the handshake is HTTP/1.0", "4.1") }
            let keys = head.values(of: "Sec-WebSocket-Key")
            if keys.count != 1 {
                note(
                    keys.isEmpty
                        ? "a handshake without Sec-WebSocket-Key"
                        : "a handshake with \(keys.count) Sec-WebSocket-Key fields", "4.1")
            } else if Base64.bytes(of: keys[0])?.count != 16 {
                note("Sec-WebSocket-Key is not 16 bytes in Base64", "4.1")
            }
            if head.values(of: "Sec-WebSocket-Version") != ["13"] {
                note("Sec-WebSocket-Version is not 13", "4.1")
            }
        }

        private func checkResponse(_ note: (String, String) -> Void) {
            let accepts = head.values(of: "Sec-WebSocket-Accept")
            if accepts.count != 1 {
                note("a response with \(accepts.count) Sec-WebSocket-Accept fields", "4.2.2")
            }
            let protocols = head.values(of: "Sec-WebSocket-Protocol")
            if protocols.count > 1 {
                note("a response with \(protocols.count) Sec-WebSocket-Protocol fields", "11.3.4")
            }
            guard let request else { return }
            if let key = request["Sec-WebSocket-Key"], let accept = accepts.first,
                accept != acceptKey(for: key)
            {
                note("Sec-WebSocket-Accept does not belong to the key of the request", "4.2.2")
            }
            let offered = request.values(of: "Sec-WebSocket-Protocol").joined(separator: ",")
                .split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
            for chosen in protocols where !offered.contains(chosen) {
                note("Sec-WebSocket-Protocol \"\(chosen)\" was not offered", "4.2.2")
            }
            let extensions = request.webSocketExtensions.compactMap { $0.first?.name }
            for chosen in head.webSocketExtensions.compactMap({ $0.first?.name })
            where !extensions.contains(chosen) {
                note("the extension \"\(chosen)\" was not offered", "9.1")
            }
        }
    }
}
