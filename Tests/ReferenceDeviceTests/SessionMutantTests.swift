import Diffusion
import Testing

@testable import conform_device

@Suite("Mutants of the session client")
struct SessionMutantTests {
    /// A situation in which a client can break requirements.
    private struct Situation: Sendable {
        let requirements: Set<String>
        let play: @Sendable (inout SessionRig) -> Void
        var configuration = SessionConfiguration()

        func transcript(_ mutant: SessionClientMutant?) -> [String] {
            var rig = SessionRig(configuration, mutant: mutant)
            play(&rig)
            return rig.transcript
        }
    }

    private static let written = SessionConfiguration()

    private static let situations = [
        Situation(requirements: ["BOR-12", "BOR-15"]) { rig in
            rig.feed(.started)
            rig.control("foreground")
            rig.advance(1000)
        },
        Situation(
            requirements: ["BOR-12", "BOR-15"],
            play: { rig in
                rig.feed(.started)
                rig.advance(1000)
                rig.control("foreground")
                rig.advance(1000)
            }, configuration: written.with { $0.isActive = false }),
        Situation(requirements: ["BOR-1", "BOR-2", "BOR-3", "BOR-5", "BOR-6", "BOR-9"]) { rig in
            rig.feed(.started)
            rig.network = .refused
            rig.drop()
            rig.advance(29_500)
            rig.network = .up
            rig.advance(1000)
        },
        Situation(requirements: ["BOR-4", "BOR-8"]) { rig in
            rig.feed(.started)
            rig.network = .silent
            rig.drop()
            rig.advance(20_000)
        },
        Situation(requirements: ["BOR-7", "BOR-8"]) { rig in
            rig.feed(.started)
            for duration in [500, 9000, 9600, 11_000, 16_000, 1000] {
                rig.advance(duration)
                rig.dropUntilResumed()
            }
        },
        Situation(
            requirements: ["BOR-7c"],
            play: { rig in
                rig.feed(.started)
                for duration in [500, 1500, 2000, 5000, 3000] {
                    rig.advance(duration)
                    rig.dropUntilResumed()
                }
            }, configuration: .rule(.coded)),
        Situation(requirements: ["BOR-8"]) { rig in
            rig.feed(.started)
            rig.drop()
            rig.advance(5000)
            rig.network = .refused
            rig.drop()
            rig.advance(30_000)
        },
        Situation(
            requirements: ["BOR-10", "BOR-2"],
            play: { rig in
                rig.feed(.started)
                rig.network = .refused
                rig.drop()
                rig.advance(70_000)
            }, configuration: written.with { $0.reconnectionTimeout = 9000 }),
        Situation(requirements: ["BOR-9"]) { rig in
            rig.feed(.started)
            rig.identityShift = 1
            rig.drop()
            rig.advance(9000)
        },
        Situation(requirements: ["BOR-11", "BOR-9"]) { rig in
            rig.feed(.started)
            rig.advance(7000)
            rig.drop()
            rig.advance(7000)
        },
        Situation(requirements: ["BOR-13"]) { rig in
            rig.feed(.started)
            for _ in 1...2 {
                rig.control("background")
                rig.advance(500)
                rig.control("foreground")
                rig.advance(1000)
            }
        },
        Situation(requirements: ["BOR-13", "BOR-15"]) { rig in
            rig.feed(.started)
            rig.control("background")
            rig.receive(.serviceRequest(service: Diffusion.systemPing, conversation: 1, body: []))
            rig.advance(7000)
            rig.control("foreground")
            rig.advance(1000)
        },
        Situation(requirements: ["BOR-15"]) { rig in
            rig.feed(.started)
            rig.control("background")
            rig.drop()
            rig.advance(7000)
        },
        Situation(requirements: ["BOR-14"]) { rig in
            rig.feed(.started)
            rig.sessions = [:]
            rig.drop()
            rig.advance(2000)
            rig.control("background")
            rig.control("foreground")
            rig.advance(2000)
        },
    ]

    /// More situations of the outage, of the answers to attempts, and of pings.
    private static let further = [
        Situation(requirements: ["BOR-8", "BOR-10"]) { rig in
            rig.feed(.started)
            rig.network = .refused
            rig.drop()
            rig.advance(58_000)
        },
        Situation(
            requirements: ["BOR-1"],
            play: { rig in
                rig.feed(.started)
                rig.network = .refused
                rig.drop()
                rig.advance(3000)
                rig.network = .up
                rig.control("background")
                rig.control("foreground")
                rig.advance(100)
                rig.drop()
                rig.advance(1000)
            }, configuration: written.with { $0.reconnectionTimeout = 2000 }),
        Situation(requirements: ["BOR-8"]) { rig in
            rig.feed(.started)
            rig.status = 503
            rig.refusals = 3
            rig.drop()
            rig.advance(5000)
        },
        Situation(requirements: ["BOR-10"]) { rig in
            rig.feed(.started)
            rig.status = 503
            rig.drop()
            rig.advance(5000)
        },
        Situation(
            requirements: ["BOR-10"],
            play: { rig in
                rig.feed(.started)
                rig.advance(20_000)
                rig.drop()
                rig.advance(3000)
            }, configuration: written.with { $0.reconnectionTimeout = 9000 }),
        Situation(
            requirements: ["BOR-10"],
            play: { rig in
                rig.feed(.started)
                rig.drop()
                rig.advance(3000)
            }, configuration: written.with { $0.reconnectionTimeout = 0 }),
        Situation(
            requirements: ["BOR-10"],
            play: { rig in
                rig.feed(.started)
                rig.drop()
                rig.advance(12_000)
                rig.drop()
                rig.advance(3000)
            }, configuration: written.with { $0.reconnectionTimeout = 9000 }),
        Situation(requirements: ["BOR-9"]) { rig in
            rig.tellsNumbers = true
            rig.feed(.started)
            rig.renewedToken = Array("TOKEN-RENEWED-ABCDEFGHIJ".utf8)
            rig.drop()
            rig.advance(2000)
            rig.renewedToken = nil
            rig.drop()
            rig.advance(2000)
        },
        Situation(requirements: ["BOR-11"]) { rig in
            rig.tellsNumbers = true
            rig.feed(.started)
            rig.receive(.serviceRequest(service: Diffusion.systemPing, conversation: 7, body: []))
            rig.advance(20_000)
        },
        Situation(requirements: ["BOR-11"]) { rig in
            rig.feed(.started)
            rig.control("background")
            rig.control("foreground")
            rig.advance(7000)
        },
        Situation(requirements: ["BOR-11"]) { rig in
            rig.feed(.started)
            rig.drop()
            rig.advance(7000)
            rig.receive(.serviceRequest(service: Diffusion.systemPing, conversation: 1, body: []))
            rig.drop()
            rig.advance(7000)
        },
        Situation(requirements: ["BOR-14"]) { rig in
            rig.feed(.started)
            for _ in 1...2 {
                rig.sessions = [:]
                rig.drop()
                rig.advance(2000)
                rig.control("background")
                rig.control("foreground")
                rig.advance(2000)
            }
        },
        Situation(requirements: ["BOR-14"]) { rig in
            rig.feed(.started)
            rig.answersPings = false
            rig.control("background")
            rig.control("foreground")
            rig.advance(12_000)
        },
        Situation(requirements: ["BOR-14"]) { rig in
            rig.feed(.started)
            rig.answersPings = false
            rig.control("background")
            rig.control("foreground")
            rig.receive(.serviceError(conversation: 0, body: []))
            rig.advance(2000)
        },
        Situation(requirements: ["BOR-15"]) { rig in
            rig.feed(.started)
            rig.network = .refused
            rig.drop()
            rig.control("background")
            rig.advance(5000)
        },
    ]

    @Test(
        "A mutant differs from the faithful client in situations of its requirements",
        arguments: SessionClientMutant.allCases.filter { !$0.isOfTLS })
    func isObservable(mutant: SessionClientMutant) {
        let claimed = (Self.situations + Self.further).filter {
            !$0.requirements.isDisjoint(with: mutant.requirements)
        }
        let differs = claimed.filter { $0.transcript(mutant) != $0.transcript(nil) }
        #expect(!differs.isEmpty)
    }

    @Test("A mutant of the back-off is faithful where the back-off is not involved")
    func othersAreKept() {
        let aboutPings = Self.situations.filter { $0.requirements == ["BOR-13", "BOR-15"] }
        let mutants = SessionClientMutant.allCases.filter {
            Set($0.requirements).isSubset(of: [
                "BOR-1", "BOR-2", "BOR-3", "BOR-4", "BOR-5", "BOR-6",
            ])
        }
        #expect(mutants.count > 10)
        for mutant in mutants {
            for situation in aboutPings {
                #expect(situation.transcript(mutant) == situation.transcript(nil), "\(mutant)")
            }
        }
    }

    @Test("Each requirement of the catalogue that a client can break has a mutant")
    func complete() {
        let covered = Set(SessionClientMutant.allCases.compactMap(\.requirements.first))
        let wanted = (1...15).map { "BOR-\($0)" } + ["BOR-7c"]
        #expect(Set(wanted).subtracting(covered).isEmpty)
        let known = Set(wanted + (1...9).map { "STLS-\($0)" })
        for mutant in SessionClientMutant.allCases {
            #expect(known.isSuperset(of: mutant.requirements + mutant.masks), "\(mutant)")
        }
    }
}

extension SessionClientMutant {
    /// Whether it is a mistake of TLS, which no situation without sockets shows.
    fileprivate var isOfTLS: Bool { requirements.allSatisfy { $0.hasPrefix("STLS-") } }
}
