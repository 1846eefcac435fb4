import Results
import Testing
import Trace
import Wire

@testable import Judge
@testable import SuiteLanguage

/// Random schedules against clients that keep them and clients that do not.
struct SchedulePropertyTests {
    typealias Generator = PropertyTests.Generator

    private static func duration(_ values: [Double], _ random: inout Generator) -> Duration {
        .milliseconds((values.randomElement(using: &random) ?? 1) * 1000)
    }

    /// Returns a random schedule whose waits are not drawn by chance.
    private static func schedule(_ attempts: Int, _ random: inout Generator) -> BackoffSchedule {
        let base = duration([0.2, 0.5, 1, 2], &random)
        let model: BackoffSchedule.Model =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .fixed(base)
            case 1: .linear(base: base, step: duration([0.5, 1, 2.5], &random))
            case 2:
                .exponential(
                    base: base, factor: [1.5, 1.6, 2, 3].randomElement(using: &random) ?? 2)
            default:
                .list((0..<3).map { _ in duration([0.3, 1, 1.7, 4], &random) })
            }
        var schedule = BackoffSchedule(model: model, attempts: attempts...attempts)
        if Bool.random(using: &random) { schedule.first = duration([0, 0, 0.1, 3], &random) }
        if Bool.random(using: &random) { schedule.cap = duration([3, 5, 10], &random) }
        schedule.reset =
            [.never, .success, .stable(.seconds(10)), .elapsed(multiple: 2)]
            .randomElement(using: &random) ?? .never
        schedule.early = Tolerance(absolute: .milliseconds(1))
        schedule.late = Tolerance(absolute: .milliseconds(30), percent: 2)
        return schedule
    }

    private static func fates(_ count: Int, _ random: inout Generator) -> [SimulatedClient.Fate] {
        (0..<count).map { _ in
            guard Int.random(in: 0..<3, using: &random) == 0 else { return .refused }
            return .stands([0.4, 3.3, 8.1, 12.7, 25].randomElement(using: &random) ?? 1)
        }
    }

    /// Whether a mutant's waits are outside the bounds of the schedule.
    private static func differ(
        _ waits: [Double], _ mutated: [Double], _ schedule: BackoffSchedule
    ) -> Bool {
        zip(waits, mutated).contains { wait, other in
            let late = schedule.late.bound(for: .seconds(wait)) / .seconds(1)
            return other < wait - 0.0011 || other > wait + late + 0.0001
        }
    }

    @Test("A client that keeps a schedule passes, and every mutant that does not is refused")
    func schedules() {
        var refused: [SimulatedClient.Mutation: Int] = [:]
        // An attempt that is very late counts as missing.
        let codes: [ReasonCode?] = [.timing, .sequence]
        for seed in 1...250 as ClosedRange<UInt64> {
            var random = Generator(seed: seed)
            let count = Int.random(in: 1...9, using: &random)
            let schedule = Self.schedule(count, &random)
            let fates = Self.fates(count, &random)
            let honest = SimulatedClient(schedule: schedule).run(fates, &random)
            let judgement = honest.trace.judgement(schedule)
            #expect(
                judgement.verdict == .pass,
                "seed \(seed): \(judgement.sentence) \(schedule.suiteText) \(honest.waits)")
            guard !honest.isClose else { continue }
            for mutation in SimulatedClient.Mutation.allCases {
                let mutant = SimulatedClient(schedule: schedule, mutation: mutation)
                let run = mutant.run(fates, &random)
                guard Self.differ(honest.waits, run.waits, schedule) else { continue }
                let judgement = run.trace.judgement(schedule)
                #expect(
                    judgement.verdict == .fail && codes.contains(judgement.reason?.code),
                    """
                    seed \(seed) \(mutation): \(judgement.sentence) \(schedule.suiteText)
                    \(run.waits) for \(honest.waits)
                    """)
                refused[mutation, default: 0] += 1
            }
        }
        for mutation in SimulatedClient.Mutation.allCases {
            #expect(refused[mutation, default: 0] >= 15, "\(mutation): \(refused)")
        }
    }

    /// Schedules whose waits are drawn by chance.
    static let drawn: [BackoffSchedule] = {
        let growing = BackoffSchedule.Model.exponential(base: .seconds(1), factor: 2)
        let jitters: [BackoffSchedule.Jitter] = [
            .full, .equal, .plusMinus(Tolerance(absolute: .zero, percent: 40)),
            .decorrelated(factor: 3),
        ]
        return jitters.flatMap { jitter in
            BackoffSchedule.CapPlace.allCases.map { place in
                var schedule = BackoffSchedule(model: growing, attempts: 60...60)
                schedule.jitter = jitter
                schedule.cap = .seconds(20)
                schedule.capPlace = place
                schedule.early = Tolerance(absolute: .milliseconds(1))
                schedule.late = Tolerance(absolute: .milliseconds(30))
                return schedule
            }
        }
    }()

    @Test("Waits that are drawn as they should be pass", arguments: 0..<8)
    func jitter(index: Int) {
        let schedule = Self.drawn[index]
        let fates = Array(repeating: SimulatedClient.Fate.refused, count: 60)
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = Generator(seed: seed)
            let client = SimulatedClient(schedule: schedule) {
                Double.random(in: 0...1, using: &$0)
            }
            let judgement = client.run(fates, &random).trace.judgement(schedule)
            #expect(
                judgement.verdict == .pass,
                "seed \(seed): \(judgement.sentence) \(schedule.suiteText)")
        }
    }

    @Test(
        "Waits that were not drawn by chance, or drawn from a smaller range, are refused",
        arguments: 0..<8)
    func noJitter(index: Int) {
        let schedule = Self.drawn[index]
        guard schedule.capPlace == .beforeJitter else { return }
        let fates = Array(repeating: SimulatedClient.Fate.refused, count: 60)
        for part in [0.1, 0.5] {
            var random = Generator(seed: 3)
            let constant = SimulatedClient(schedule: schedule) { _ in part }
            let judgement = constant.run(fates, &random).trace.judgement(schedule)
            #expect(judgement.verdict == .fail, "\(schedule.suiteText) \(part)")
            #expect(judgement.sentence.contains("chance"), "\(judgement.sentence)")
        }
        var random = Generator(seed: 4)
        let half = SimulatedClient(schedule: schedule) {
            Double.random(in: 0...0.4, using: &$0)
        }
        let judgement = half.run(fates, &random).trace.judgement(schedule)
        #expect(judgement.verdict == .fail, "\(schedule.suiteText)")
        var outside = Generator(seed: 5)
        let doubled = SimulatedClient(schedule: schedule, mutation: .doubled) { _ in 1 }
        let beyond = doubled.run(fates, &outside).trace.judgement(schedule)
        #expect(beyond.reason?.code == .timing && beyond.sentence.contains("too late"))
    }

    @Test("The judgement does not depend on how the clock advances between the messages")
    func liveness() {
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = Generator(seed: seed)
            let schedule = Self.schedule(6, &random)
            let run = SimulatedClient(
                schedule: schedule, mutation: seed.isMultiple(of: 2) ? .early : nil
            ).run(Self.fates(6, &random), &random)
            let testCase = testCase(
                [
                    expect("tcp.SYN", within: .seconds(100)),
                    Step(verb: .backoff(schedule), position: at(20)),
                ], quiet: .zero,
                timeout: .seconds(100_000))
            let end = (run.trace.messages.last?.time ?? Cast.start) + .milliseconds(1)
            let offline = run.trace.judgement(schedule)
            var matcher = CaseMatcher(
                PreparedCase(testCase, requirements: requirements), parties: Cast.parties,
                start: Cast.start)
            var now = Cast.start
            for message in run.trace.messages {
                while now < message.time {
                    now = min(message.time, now + .milliseconds(137))
                    if now < message.time { _ = matcher.advance(to: now) }
                }
                _ = matcher.consume(message)
            }
            #expect(matcher.finish(at: end, cause: .captureEnded) == offline, "seed \(seed)")
        }
    }
}
