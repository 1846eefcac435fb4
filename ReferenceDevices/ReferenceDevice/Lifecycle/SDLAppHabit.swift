import Wire

/// Habits of real SDL libraries that no document forbids.
///
/// With each of them the golden app still meets every requirement.
public enum SDLAppHabit: String, Sendable, Hashable, CaseIterable {
    /// Tests at the first FULL whether choices may lack voice commands.
    ///
    /// It sends CreateInteractionChoiceSet and DeleteInteractionChoiceSet with the number 0, as the
    /// JavaScript and Java libraries do.
    case probesAtFull = "probe-at-full"
    /// Unregisters when it is asked to end, as the Java library does in its shutdown hook.
    case unregistersAtStop = "unregister-at-stop"

    /// The requests of the probe, in order.
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
