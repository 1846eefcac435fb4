/// The timers that run, by when they run out on the device's clock.
struct Timers<Timer: Hashable> {
    private var deadlines: [Timer: Int64] = [:]

    /// Starts a timer, anew if it runs already.
    mutating func start(_ timer: Timer, deadline: Int64) { deadlines[timer] = deadline }

    mutating func stop(_ timer: Timer) { deadlines[timer] = nil }

    /// When the next timer runs out; `nil` if none runs.
    var next: Int64? { deadlines.values.min() }

    /// Takes the timers that have run out, earliest first.
    mutating func takeDue(at now: Int64) -> [Timer] {
        let due = deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }
        for (timer, _) in due { deadlines[timer] = nil }
        return due.map(\.key)
    }
}
