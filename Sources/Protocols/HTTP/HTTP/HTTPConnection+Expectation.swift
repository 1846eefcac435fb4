import Wire

extension HTTP.ConnectionDecoder {
    /// Whether the pending bytes belong to the body of a request that expects 100 (Continue).
    ///
    /// After a final response its client sends the body or leaves it out (RFC 9110 10.1.1), which
    /// only the next line shows. The result is `nil` as long as that line is incomplete.
    func hasBody(_ side: ConnectionSide) -> Bool? {
        guard needsNoRest(side) else { return true }
        let slice = sides[side].pending.slice
        if let end = slice.firstIndex(of: 10) {
            guard case .request? = HTTP.startLine(slice[..<end]) else { return true }
            return false
        }
        let method = slice.prefix(while: HTTP.HeaderCheck.isTokenByte)
        let mayBeRequest =
            method.endIndex == slice.endIndex || !method.isEmpty && slice[method.endIndex] == 32
        return mayBeRequest && slice.count < HTTP.Limits.head ? nil : true
    }

    /// Emits a request that expects 100 (Continue) and has its final response, at the end.
    ///
    /// It is left out if some bytes came after it, but neither its whole body nor a line.
    mutating func endExpectation(_ side: ConnectionSide, _ messages: inout [StreamMessage]) {
        guard sides[side].open?.expectsContinue == true, needsNoRest(side) else { return }
        let rest = sides[side].pending.count
        if sides[side].place == .body(.sized(rest)) { keep(rest, side) }
        if sides[side].pending.isEmpty {
            conclude(side, &messages)
        } else {
            sides[side].open = nil
            sides[side].drop(rest)
        }
    }
}
