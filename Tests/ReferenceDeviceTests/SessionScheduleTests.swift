import Testing

@testable import conform_device

@Suite("Back-off of the session client")
struct SessionScheduleTests {
    typealias Rule = SessionConfiguration.ResetRule

    /// Returns a client whose session has been open for half a second.
    private func standing(
        _ rule: Rule, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> SessionRig {
        var rig = SessionRig(.rule(rule).with(change))
        rig.feed(.started)
        rig.advance(500)
        return rig
    }

    /// Drops the connection and returns the wait before the attempt that follows, in milliseconds.
    private func wait(afterLoss rig: inout SessionRig) -> Int64 {
        let (loseConnection, count) = (rig.time / 1_000_000, rig.attempts.count)
        rig.drop()
        while rig.attempts.count == count, rig.time / 1_000_000 < loseConnection + 20_000 {
            rig.advance(1)
        }
        return (rig.attempts.last ?? 0) - loseConnection
    }

    @Test("The waits in an outage are 0, 1, 2, 3, 4, 5, 5 seconds", arguments: Rule.allCases)
    func outage(rule: Rule) {
        var rig = standing(rule)
        rig.network = .refused
        rig.drop()
        rig.advance(22_000)
        #expect(rig.gaps == [500, 1000, 2000, 3000, 4000, 5000, 5000])
    }

    @Test("The waits follow the configured increment and maximum")
    func configured() {
        var rig = standing(.written) {
            $0.strategy.increment = 200
            $0.strategy.maximum = 500
        }
        rig.network = .refused
        rig.drop()
        rig.advance(2000)
        #expect(rig.gaps.dropFirst() == [200, 400, 500, 500])
    }

    @Test("A wait counts from the failure of an attempt, which a silent server delays (BOR-4)")
    func silentServer() {
        var rig = standing(.written)
        rig.network = .silent
        rig.drop()
        rig.advance(18_000)
        #expect(rig.gaps == [500, 3000, 4000, 5000, 6000])
    }

    @Test("As coded, attempts longer than twice the delay keep the delay at zero")
    func silentServerAsCoded() {
        var rig = standing(.coded) { $0.connectionTimeout = 2001 }
        rig.network = .silent
        rig.drop()
        rig.advance(8010)
        #expect(rig.gaps == [500, 2001, 2001, 2001, 2001])
    }

    @Test(
        "The wait after a connection follows the rule for the time that it was open",
        arguments: [
            (1500, 1000, 1000), (2000, 1000, 1000), (2001, 1000, 0), (3000, 1000, 0),
            (10_000, 1000, 0), (10_001, 0, 0),
        ])
    func firstReconnection(stood: Int, written: Int64, coded: Int64) {
        for (rule, expected) in [(Rule.written, written), (.coded, coded)] {
            var rig = standing(rule)
            #expect(wait(afterLoss: &rig) == 0)
            rig.advance(stood)
            #expect(wait(afterLoss: &rig) == expected, "\(rule)")
        }
    }

    @Test("After a success at the second attempt, a loss 3.5 seconds later waits 2, as coded 0")
    func secondAttempt() {
        for (rule, expected) in [(Rule.written, Int64(2000)), (.coded, 0)] {
            var rig = standing(rule)
            rig.network = .refused
            rig.drop()
            rig.advance(500)
            rig.network = .up
            rig.advance(500)
            #expect(rig.gaps == [500, 1000])
            rig.advance(3500)
            #expect(wait(afterLoss: &rig) == expected, "\(rule)")
        }
    }

    @Test("At the maximum, a loss 9 seconds after the success waits 5, as coded 0")
    func atMaximum() {
        for (rule, expected) in [(Rule.written, Int64(5000)), (.coded, 0)] {
            var rig = standing(rule)
            rig.network = .refused
            rig.drop()
            rig.advance(14_000)
            rig.network = .up
            rig.advance(1000)
            #expect(rig.gaps == [500, 1000, 2000, 3000, 4000, 5000])
            rig.advance(9000)
            #expect(wait(afterLoss: &rig) == expected, "\(rule)")
        }
    }

    @Test("An outage alone never resets the waits (BOR-8)")
    func longOutage() {
        var rig = standing(.written)
        #expect(wait(afterLoss: &rig) == 0)
        rig.advance(9000)
        rig.network = .refused
        rig.drop()
        rig.advance(30_000)
        #expect(rig.gaps.dropFirst(2) == [2000, 3000, 4000, 5000, 5000, 5000, 5000])
    }

    @Test("After the reconnection timeout no attempt follows (BOR-10)")
    func reconnectionTimeout() {
        var rig = standing(.written) { $0.reconnectionTimeout = 4000 }
        #expect(rig.sent.first == "SYN" && rig.sent.contains("connect 4000"))
        rig.network = .refused
        rig.drop()
        rig.advance(3999)
        #expect(rig.states.last == "Recovering Reconnect")
        rig.advance(1)
        #expect(rig.states.last == "Closed Failed")
        rig.network = .up
        rig.advance(60_000)
        #expect(rig.gaps == [500, 1000, 2000])
    }

    @Test("The timeout ends an attempt in progress, and a resumed session is free of it")
    func timeoutDuringAttempt() {
        var rig = standing(.written) { $0.reconnectionTimeout = 1500 }
        rig.network = .silent
        rig.drop()
        rig.advance(1500)
        #expect(rig.states.last == "Closed Failed")
        rig = standing(.written) { $0.reconnectionTimeout = 1500 }
        rig.drop()
        rig.advance(9000)
        #expect(rig.states.last == "Connected Active")
    }

    @Test("Without a reconnection timeout a lost connection closes the session")
    func noReconnection() {
        var rig = standing(.written) { $0.reconnectionTimeout = 0 }
        rig.drop()
        rig.advance(9000)
        #expect(rig.states.last == "Closed Failed")
        #expect(rig.attempts == [0])
    }
}
