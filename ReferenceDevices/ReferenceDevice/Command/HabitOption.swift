/// The option `--habit`: names separated by commas.
enum HabitOption: String, CaseIterable {
    case habit = "--habit"

    /// Removes the option and its value from the arguments; returns no habits if it is absent.
    static func consume<Habit>(
        from arguments: inout [String]
    ) throws(UsageError) -> Set<Habit>
    where Habit: RawRepresentable<String> & CaseIterable & Hashable {
        let words = try OptionValues<HabitOption>.consume(.habit, from: &arguments)
        var habits: Set<Habit> = []
        for word in words?.split(separator: ",") ?? [] {
            guard let habit = Habit(rawValue: String(word)) else {
                let names = Habit.allCases.map(\.rawValue).joined(separator: " or ")
                throw UsageError("--habit \"\(word)\" is not \(names)")
            }
            habits.insert(habit)
        }
        return habits
    }
}
