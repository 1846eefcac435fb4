/// The option `--habit`: names with commas between them.
enum HabitOption: String, CaseIterable {
    case habit = "--habit"

    /// Takes the option and its value out of arguments; no habits if it is not there.
    static func take<Habit>(
        from arguments: inout [String]
    ) throws(UsageError) -> Set<Habit>
    where Habit: RawRepresentable<String> & CaseIterable & Hashable {
        let words = try OptionValues<HabitOption>.take(.habit, from: &arguments)
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
