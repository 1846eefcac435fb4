/// The running timers, with their deadlines on the device's clock.
struct Timers<Timer: Hashable> {
    private var deadlines: [Timer: Int64] = [:]

    /// Starts a timer, or restarts it if it is running.
    mutating func start(_ timer: Timer, deadline: Int64) { deadlines[timer] = deadline }

    mutating func stop(_ timer: Timer) { deadlines[timer] = nil }

    /// The earliest deadline; `nil` if no timer is running.
    var next: Int64? { deadlines.values.min() }

    /// Removes the timers that are due and returns them, earliest first.
    mutating func takeDue(at now: Int64) -> [Timer] {
        let due = deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }
        for (timer, _) in due { deadlines[timer] = nil }
        return due.map(\.key)
    }
}
