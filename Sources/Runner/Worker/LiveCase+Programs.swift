import Peers
import Suites
import Trace

/// Peers that are programs: they are ready before the device is launched.
extension LiveCase {
    /// How often it is looked whether a program is ready.
    private static let lookForProgram: Duration = .milliseconds(20)

    /// Launches the programs of peers and waits until they are ready; the case begins then.
    ///
    /// - Throws: `WorkerError` if one ends or is not ready in time.
    mutating func startPrograms() throws {
        guard stage.runsPrograms else { return }
        try stage.launchPrograms(like: profile, scratch: scratch, log: log)
        while !stage.areProgramsReady {
            try wait(until: WallClock.now + Self.lookForProgram)
            try stage.servePrograms()
            try stage.check()
        }
        start = WallClock.now
        told = start
        trial = Self.trial(
            of: testCase, suite, parties: stage.parties, from: start, scale: order.timeScale)
    }
}
