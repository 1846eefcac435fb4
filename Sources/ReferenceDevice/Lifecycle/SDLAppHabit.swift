import Wire

/// Habits of real SDL libraries that no document forbids: with each of them the golden app still keeps
/// every requirement.
public enum SDLAppHabit: String, Sendable, Hashable, CaseIterable {
    /// Tries at the first FULL whether choices may go without voice commands, as the JavaScript and
    /// Java libraries do: CreateInteractionChoiceSet and DeleteInteractionChoiceSet of the number 0.
    case probesAtFull = "probe-at-full"
    /// Unregisters when it is asked to end, as the Java library does in its shutdown hook.
    case unregistersAtStop = "unregister-at-stop"

    /// The requests of the probe, in their order.
    static let probe: [Value.Member] = [
        Value.Member(
            "CreateInteractionChoiceSet",
            [
                "interactionChoiceSetID": 0,
                "choiceSet": [["choiceID": 0, "menuName": "Test Cell"]],
            ]),
        Value.Member("DeleteInteractionChoiceSet", ["interactionChoiceSetID": 0]),
    ]
}
