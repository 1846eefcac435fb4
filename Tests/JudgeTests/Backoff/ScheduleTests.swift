import Results
import Testing
import Trace

@testable import Judge
@testable import SuiteLanguage

struct ScheduleTests {
    /// The rule of the document: 0, 1, 2, 3, 4, 5, 5, ...
    static func document(_ attempts: Int) -> BackoffSchedule {
        var schedule = BackoffSchedule(
            model: .linear(base: .zero, step: .seconds(1)), attempts: attempts...attempts)
        schedule.cap = .seconds(5)
        schedule.early = Tolerance(absolute: .milliseconds(1))
        schedule.late = Tolerance(absolute: .milliseconds(30), percent: 10)
        return schedule
    }

    /// Returns a connection that ends, and then refused attempts after these waits.
    private static func outage(_ waits: [Double]) -> ConnectionTrace {
        var trace = ConnectionTrace()
        trace.attempt(0)
        trace.accept(0.001)
        var time = 2.0
        trace.reset(time)
        for wait in waits {
            time += wait
            trace.attempt(time)
            time += 0.0001
            trace.refuse(time)
        }
        return trace
    }

    @Test("Attempts that keep the schedule pass, and every wait is reported with its frame")
    func kept() throws {
        let judgement = Self.outage([0, 1.05, 2, 3, 4, 5.4, 5]).judgement(Self.document(7))
        #expect(judgement.verdict == .pass, "\(judgement.sentence)")
        #expect(judgement.waits.map(\.index) == Array(1...7))
        #expect(judgement.waits.allSatisfy { $0.isKept })
        #expect(judgement.waits.map(\.frame) == (0..<7).map { 5 + $0 * 2 })
        let fifth = judgement.waits[4]
        #expect(abs(fifth.lower - 3.999) < 1e-9 && abs((fifth.upper ?? 0) - 4.4) < 1e-9)
        #expect(abs((fifth.measured ?? 0) - 4) < 1e-6)
        #expect(judgement.takenCount == 8)
        let remark = judgement.comments[13]?.first
        #expect(remark == "step 2: wait 5: 4.000 s, allowed 3.999 s to 4.400 s")
    }

    @Test("The wait that is not kept is reported with its bounds and what was measured")
    func broken() throws {
        let judgement = Self.outage([0, 1, 1.5]).judgement(Self.document(5))
        #expect(judgement.verdict == .fail)
        #expect(judgement.reason?.code == .timing)
        for words in ["wait 3 took 1.500 s", "1.999 s to 2.200 s is allowed", "frame 9"] {
            #expect(judgement.sentence.contains(words), "\(judgement.sentence)")
        }
        #expect(judgement.waits.map(\.isKept) == [true, true, false])
        #expect(judgement.reason?.explanation?.frames == [9])
    }

    @Test(
        "Late and early tolerance are separate; of absolute and percent the larger one applies",
        arguments: [
            (1, 0.031, false), (1, 0.03, true), (2, 1.1, true), (2, 1.101, false),
            (2, 0.9991, true), (2, 0.9989, false), (3, 2.19, true),
        ])
    func tolerance(index: Int, wait: Double, isKept: Bool) {
        let waits = (1..<index).map { Double($0 - 1) } + [wait]
        let judgement = Self.outage(waits).judgement(Self.document(index))
        #expect((judgement.verdict == .pass) == isKept, "\(judgement.sentence)")
    }

    @Test("A missing attempt is reported as missing, a late one with its wait")
    func missing() {
        let silent = Self.outage([0, 1]).judgement(Self.document(5), end: 60)
        #expect(silent.verdict == .fail && silent.reason?.code == .sequence)
        #expect(silent.sentence.contains("no attempt came for wait 3"), "\(silent.sentence)")
        #expect(silent.waits.last?.measured == nil && silent.waits.last?.isKept == false)
        let late = Self.outage([0, 1, 4.5]).judgement(Self.document(5), end: 60)
        #expect(late.sentence.contains("wait 3 took 4.500 s"), "\(late.sentence)")
        #expect(late.sentence.contains("too late by 2.300 s"))
    }

    @Test("A trace that ends before the next attempt is due does not fail the device")
    func truncated() {
        let judgement = Self.outage([0, 1, 2]).judgement(Self.document(5), end: 7)
        #expect(judgement.verdict == .inconclusive && judgement.reason?.code == .captureEnd)
    }

    @Test("A second attempt while the connection of the one before is open is reported")
    func parallel() {
        var trace = Self.outage([0, 1])
        trace.attempt(5.1)
        trace.accept(5.101)
        trace.attempt(5.2)
        let judgement = trace.judgement(Self.document(9))
        #expect(judgement.verdict == .fail)
        #expect(judgement.sentence.contains("attempt 4 came while"), "\(judgement.sentence)")
    }

    @Test("A retransmitted SYN is not an attempt")
    func retransmission() {
        var trace = ConnectionTrace()
        trace.attempt(0)
        for second in 1...5 { trace.add("tcp.retransmission", Double(second)) }
        trace.refuse(5.5)
        trace.attempt(5.5)
        trace.refuse(5.5001)
        let judgement = trace.judgement(Self.document(1))
        #expect(judgement.verdict == .pass, "\(judgement.sentence)")
    }

    @Test("An attempt after the last one is unexpected, also within the silence")
    func tooMany() {
        let trace = Self.outage([0, 1, 2])
        let plain = trace.judgement(Self.document(2), quiet: .seconds(5))
        #expect(plain.verdict == .fail && plain.reason?.code == .unexpected)
        var quiet = Self.document(2)
        quiet.silence = .seconds(10)
        let silent = trace.judgement(quiet, end: 100)
        #expect(silent.sentence.contains("beyond the 2 that are allowed"), "\(silent.sentence)")
    }

    @Test("The silence ends attempts whose number is left open")
    func openCount() {
        var open = Self.document(2)
        open.attempts = 2...5
        open.silence = .seconds(8)
        for (waits, verdict) in [([0.0, 1], Verdict.pass), ([0, 1, 2], .pass), ([0], .fail)] {
            let judgement = Self.outage(waits).judgement(open, end: 50)
            #expect(judgement.verdict == verdict, "\(waits): \(judgement.sentence)")
        }
        let short = Self.outage([0, 1]).judgement(open, end: 9)
        #expect(short.verdict == .inconclusive)
    }

    @Test("A wait counts from the failure, or from the start of the attempt")
    func origins() {
        func trace(_ duration: Double, _ wait: Double) -> ConnectionTrace {
            var trace = ConnectionTrace()
            trace.attempt(0)
            trace.refuse(duration)
            trace.attempt(wait)
            return trace
        }
        var schedule = BackoffSchedule(model: .fixed(.seconds(3)), attempts: 1...1)
        #expect(trace(2, 5).judgement(schedule).verdict == .pass)
        #expect(trace(2, 3).judgement(schedule).verdict == .fail)
        schedule.origin = .attemptStart
        #expect(trace(2, 3).judgement(schedule).verdict == .pass)
        #expect(trace(2, 5).judgement(schedule).verdict == .fail)
        // An attempt that fails after its wait is over is repeated at once.
        #expect(trace(4, 4.01).judgement(schedule).verdict == .pass)
        #expect(trace(4, 5).judgement(schedule).verdict == .fail)
    }

    @Test("The client's own timeout decides when an unanswered attempt failed")
    func unanswered() {
        var trace = ConnectionTrace()
        trace.attempt(0)
        trace.attempt(7)
        var schedule = BackoffSchedule(model: .fixed(.seconds(3)), attempts: 1...1)
        let open = trace.judgement(schedule)
        #expect(open.verdict == .pass && open.waits.first?.upper == nil)
        schedule.timeout = .seconds(4)
        #expect(trace.judgement(schedule).verdict == .pass)
        schedule.timeout = .seconds(2)
        #expect(trace.judgement(schedule).verdict == .fail)
        schedule.timeout = .seconds(5)
        #expect(trace.judgement(schedule).verdict == .fail)
    }

    @Test(
        "A wait counts from the timeout or from the later end of the connection",
        arguments: [(5.0, true), (6.5, true), (4.5, false), (5.75, false), (7, false)])
    func closedLate(next: Double, isKept: Bool) {
        var trace = ConnectionTrace()
        trace.attempt(0)
        trace.add("tcp.FIN", 3.5)
        trace.attempt(next)
        var schedule = BackoffSchedule(model: .fixed(.seconds(3)), attempts: 1...1)
        schedule.timeout = .seconds(2)
        let judgement = trace.judgement(schedule)
        #expect((judgement.verdict == .pass) == isKept, "\(judgement.sentence)")
    }

    @Test("A FIN of the other end on a connection that has already ended triggers nothing")
    func bothEnds() {
        var trace = ConnectionTrace()
        trace.attempt(0)
        trace.accept(0.001)
        trace.add("tcp.FIN", 2, fromDevice: false)
        trace.add("tcp.FIN", 2.9)
        trace.attempt(3)
        let schedule = BackoffSchedule(model: .fixed(.seconds(1)), attempts: 1...1)
        let judgement = trace.judgement(schedule)
        #expect(judgement.verdict == .pass, "\(judgement.sentence)")
        let behind = trace.judgement(
            schedule, first: ["tcp.SYN", "tcp.established"])
        #expect(behind.verdict == .pass, "\(behind.sentence)")
    }

    @Test("Events on another connection do not count")
    func otherConnections() {
        var trace = ConnectionTrace()
        trace.attempt(0)
        trace.refuse(0.1)
        trace.attempt(1.1)
        trace.accept(1.2)
        let first = trace.messages
        var schedule = BackoffSchedule(model: .fixed(.seconds(1)), attempts: 2...2)
        schedule.success = "tcp.established"
        var follower = ScheduleFollower(watching: schedule, at: Cast.start)
        follower.begin(origin: Cast.start, after: first[0], as: .attempt)
        let roles: [String: ScheduleFollower.Roles] = [
            "tcp.SYN": .attempt, "tcp.established": .success, "tcp.refused": .failure,
        ]
        for message in first.dropFirst() {
            _ = follower.consume(message, as: roles[message.name] ?? [])
        }
        var stranger = first[1]
        stranger.time = Cast.time(2)
        #expect(follower.consume(stranger, as: .failure) == .passed)
        #expect(follower.latest == nil, "the connection still stands")
    }
}
