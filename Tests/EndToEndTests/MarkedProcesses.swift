import Foundation
import Glibc

/// The processes of one test, identified by a marker in their environment.
struct MarkedProcesses {
    /// The marker; a device profile puts it into the device's environment.
    let marker = "conform-test-\(UUID().uuidString)"

    /// The line of a device profile that marks the device.
    var environment: String { "env: {CONFORM_TEST_MARKER: \(marker)}" }

    /// The current number of processes.
    var count: Int {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.filter { Int($0) != nil }.count { process in
            FileManager.default.contents(atPath: "/proc/\(process)/environ")
                .map { String(decoding: $0, as: UTF8.self).contains(marker) } ?? false
        }
    }

    /// Waits until the condition on the number of processes holds; returns `false` on a timeout.
    func wait(seconds: Double, until condition: (Int) -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: seconds)
        while Date() < limit {
            if condition(count) { return true }
            poll(nil, 0, 50)
        }
        return false
    }
}
