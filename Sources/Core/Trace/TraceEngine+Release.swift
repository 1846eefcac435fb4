import TCPIP
import Wire

// The release of connections, and of the bytes that they wait for.
extension TraceEngine {
    /// Ends what is unfinished in a flow and removes it.
    mutating func release(_ slot: Int, reason: TCPEvent.GapReason) {
        output.leave(&flows[slot])
        if !awaiting.isEmpty { awaiting.removeAll { $0 == slot } }
        flows[slot].finish(nil, reason: reason, into: &output)
        output.screening.release(slot: slot)
        if flows[slot].isClosed { closedConnections.remember(&flows[slot]) }
        flows.remove(slot: slot)
    }

    /// Passes a segment to the connection that it belongs to if that ended long ago.
    ///
    /// A kernel that gets no answer repeats its FIN for many minutes. A segment with bytes that were
    /// not sent before the end belongs to another connection, whose beginning was not captured.
    ///
    /// - Returns: `false` if there is no such connection.
    mutating func takeLate(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ key: FlowKey, _ direction: Direction
    ) -> Bool {
        guard let closed = closedConnections[key] else { return false }
        var flow = Flow(closed, slot: flows.nextSlot)
        guard !flow.isSuperseded(by: carrier, direction),
            carrier.segmentLength == 0 || flow.has(carrier, direction)
        else { return false }
        guard output.options.reportsLate else {
            // Its connection is concluded.
            guard !carrier.header.flags.contains(.syn) else { return false }
            output.statistics.retransmissions += 1
            return true
        }
        let slot = flow.slot
        flows.insert(flow, at: output.now)
        return consume(payload, carrier, direction, slot)
    }

    /// Removes the flows that ended long enough ago.
    mutating func releaseClosed() {
        while let (slot, number) = closedFlows.removeFirst(at: output.now.nanoseconds) {
            prefetchClosed()
            // The slot may have been given to another flow meanwhile.
            if flows.isUsed(slot), flows[slot].number == number, flows[slot].isClosed {
                release(slot, reason: .end)
            }
        }
    }

    /// Prefetches the state of the flows that are removed next.
    mutating func prefetchClosed() {
        if let next = closedFlows.slot(ahead: 4) {
            flows.prefetchAll(next)
            let slots: InlineArray<1, Int32> = [Int32(truncatingIfNeeded: next)]
            output.screening.prefetch(slots.span)
        }
        // The flow, which determines the location of the entry, has arrived in the cache by now.
        if let next = closedFlows.slot(ahead: 2) { flows.prefetchEntry(of: next) }
    }

    /// Gives up flows if there is no room for another one.
    mutating func makeRoom() {
        if nextSweep.map({ $0 < output.now }) ?? true {
            expireIdleFlows()
        }
        if flows.count >= output.options.flowsMax { evictIdleFlows() }
    }

    /// Gives up the flows that were silent for too long.
    mutating func expireIdleFlows() {
        nextSweep = output.now + output.options.idleWait / 8
        for slot in flows.usedSlots
        where output.now - flows.lastActivity(of: slot) > output.options.idleWait {
            if !flows[slot].isClosed { output.statistics.expiredFlows += 1 }
            release(slot, reason: .limit)
        }
    }

    /// Gives up an eighth of the flows: closed ones first, then the least recently active.
    ///
    /// It gives up a share at a time, so that the search costs little for each new flow.
    mutating func evictIdleFlows() {
        let byActivity = slotsByActivity
        for slot in byActivity.prefix(max(1, byActivity.count / 8)) { evict(slot) }
    }

    /// Gives up flows if all of them take too much memory.
    ///
    /// It estimates that only after enough has arrived to make a difference.
    @inline(__always)
    mutating func limitMemory() {
        guard
            output.statistics.streamBytes >= nextEstimate.bytes
                || flows.count >= nextEstimate.flows
        else { return }
        giveUpMemory()
    }

    private mutating func giveUpMemory() {
        let shares = max(1, output.options.shard.count)
        let most = output.options.flowBytesMax / shares
        var total = flows.usedSlots.reduce(0) { $0 + flows.weight(of: $1) }
        if total > most {
            for slot in slotsByActivity {
                total -= flows.weight(of: slot)
                evict(slot)
                if total <= most - most / 8 { break }
            }
        }
        nextEstimate = (
            output.statistics.streamBytes + most / 24, flows.count + max(1, most / 65_536)
        )
    }

    /// The flows to give up first: closed ones, then the least recently active.
    private var slotsByActivity: [Int] {
        mutating get {
            flows.usedSlots.sorted { left, right in
                flows[left].isClosed == flows[right].isClosed
                    ? (flows.lastActivity(of: left), flows[left].number)
                        < (flows.lastActivity(of: right), flows[right].number)
                    : flows[left].isClosed
            }
        }
    }

    private mutating func evict(_ slot: Int) {
        if !flows[slot].isClosed { output.statistics.evictedFlows += 1 }
        release(slot, reason: .limit)
    }

    /// Records that acknowledged bytes of a flow are outstanding.
    mutating func expect(_ slot: Int) {
        if !awaiting.contains(slot) { awaiting.append(slot) }
        if awaiting.count > output.options.awaitingFlowsMax { return stopAwaiting() }
        awaitingDue = min(awaitingDue, (output.now + output.lossWait).nanoseconds)
    }

    /// Gives up the outstanding acknowledged bytes before their time, because too much is waiting.
    mutating func stopAwaiting() {
        for slot in awaiting {
            output.leave(&flows[slot])
            flows[slot].stopAwaiting(into: &output)
            output.join(&flows[slot])
        }
        awaiting = []
        awaitingDue = .max
    }

    mutating func giveUpOverdue() {
        awaitingDue = .max
        for slot in awaiting {
            output.leave(&flows[slot])
            flows[slot].giveUpOverdue(nil, into: &output)
            output.join(&flows[slot])
            guard let since = flows[slot].awaitedSince else { continue }
            awaitingDue = min(awaitingDue, (since + output.lossWait).nanoseconds)
        }
        awaiting.removeAll { !flows[$0].isAwaiting }
    }
}
