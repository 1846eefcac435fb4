import Testing
import Wire

@testable import PeerKit

@Suite("A head unit's objections to requests") struct HeadUnitObjectionTests {
    struct Objection: Sendable {
        let function: String
        let parameters: Value
        let resultCode: String
    }

    static let objections: [Objection] = [
        Objection(
            function: "AddCommand", parameters: .command(1, "Other"), resultCode: "INVALID_ID"),
        Objection(
            function: "AddCommand", parameters: .command(2, "Stations"),
            resultCode: "DUPLICATE_NAME"),
        Objection(
            function: "AddCommand", parameters: .command(2, "Stations", parent: 5),
            resultCode: "SUCCESS"),
        Objection(
            function: "AddCommand", parameters: .command(2, "Other", parent: 6),
            resultCode: "INVALID_ID"),
        Objection(
            function: "AddCommand", parameters: ["cmdID": 2, "vrCommands": ["STATIONS please"]],
            resultCode: "DUPLICATE_NAME"),
        Objection(function: "AddCommand", parameters: ["cmdID": 2], resultCode: "INVALID_DATA"),
        Objection(
            function: "AddCommand", parameters: ["cmdID": "2", "vrCommands": ["x"]],
            resultCode: "INVALID_DATA"),
        Objection(
            function: "AddCommand",
            parameters: Value.command(2, "Other").with(
                "cmdIcon", ["value": "no.png", "imageType": "DYNAMIC"]),
            resultCode: "WARNINGS"),
        Objection(
            function: "AddCommand",
            parameters: Value.command(2, "Other").with(
                "cmdIcon", ["value": "0x11", "imageType": "STATIC"]),
            resultCode: "SUCCESS"),
        Objection(
            function: "AddSubMenu", parameters: ["menuID": 5, "menuName": "Other"],
            resultCode: "INVALID_ID"),
        Objection(
            function: "AddSubMenu", parameters: ["menuID": 6, "menuName": "Sub"],
            resultCode: "DUPLICATE_NAME"),
        Objection(
            function: "AddSubMenu", parameters: ["menuID": 6, "menuName": "Sub", "parentID": 9],
            resultCode: "INVALID_ID"),
        Objection(function: "DeleteCommand", parameters: ["cmdID": 9], resultCode: "INVALID_ID"),
        Objection(function: "DeleteSubMenu", parameters: ["menuID": 9], resultCode: "INVALID_ID"),
        Objection(
            function: "CreateInteractionChoiceSet",
            parameters: [
                "interactionChoiceSetID": 3, "choiceSet": [["choiceID": 4, "menuName": "Two"]],
            ], resultCode: "INVALID_ID"),
        Objection(
            function: "CreateInteractionChoiceSet",
            parameters: [
                "interactionChoiceSetID": 4,
                "choiceSet": [
                    ["choiceID": 4, "menuName": "Two"], ["choiceID": 5, "menuName": "Two"],
                ],
            ], resultCode: "DUPLICATE_NAME"),
        Objection(
            function: "CreateInteractionChoiceSet",
            parameters: [
                "interactionChoiceSetID": 4,
                "choiceSet": [
                    ["choiceID": 4, "menuName": "Two"], ["choiceID": 4, "menuName": "Three"],
                ],
            ], resultCode: "INVALID_ID"),
        Objection(
            function: "DeleteInteractionChoiceSet", parameters: ["interactionChoiceSetID": 9],
            resultCode: "INVALID_ID"),
        Objection(
            function: "PerformInteraction",
            parameters: [
                "initialText": "?", "interactionMode": "MANUAL_ONLY",
                "interactionChoiceSetIDList": [3, 9],
            ], resultCode: "INVALID_ID"),
        Objection(
            function: "SubscribeButton", parameters: ["buttonName": "OK"], resultCode: "IGNORED"),
        Objection(
            function: "UnsubscribeButton", parameters: ["buttonName": "SEARCH"],
            resultCode: "IGNORED"),
        Objection(
            function: "DeleteFile", parameters: ["syncFileName": "no.png"],
            resultCode: "INVALID_DATA"),
        Objection(
            function: "SetAppIcon", parameters: ["syncFileName": "no.png"],
            resultCode: "INVALID_DATA"),
        Objection(
            function: "Show", parameters: ["mainField1": 1], resultCode: "INVALID_DATA"),
    ]

    private static func bench(_ settings: Value = .object([])) throws -> HeadUnitBench {
        var bench = try HeadUnitBench.started(settings)
        let spoken: Value = ["Stations please"]
        _ = try bench.request("AddCommand", Value.command(1, "Stations").with("vrCommands", spoken))
        _ = try bench.request("AddSubMenu", ["menuID": 5, "menuName": "Sub"])
        _ = try bench.request("SubscribeButton", ["buttonName": "OK"])
        _ = try bench.request(
            "CreateInteractionChoiceSet",
            ["interactionChoiceSetID": 3, "choiceSet": [["choiceID": 3, "menuName": "One"]]])
        return bench
    }

    @Test("an invalid request is answered as sdl_core does", arguments: objections)
    func objection(_ objection: Objection) throws {
        var bench = try Self.bench()
        let answers = try bench.request(objection.function, objection.parameters)
        let isTaken = ["SUCCESS", "WARNINGS"].contains(objection.resultCode)
        #expect(answers.first?["params.resultCode"]?.stringValue == objection.resultCode)
        #expect(answers.first?["params.success"] == .bool(isTaken))
        #expect((answers.first?["params.info"] != nil) == (objection.resultCode != "SUCCESS"))
        #expect(answers.count == (isTaken ? 2 : 1))
        #expect(answers.anomalies.isEmpty)
    }

    @Test("without checksRequests every request succeeds", arguments: objections)
    func unchecked(_ objection: Objection) throws {
        var bench = try Self.bench(["checksRequests": false])
        let answers = try bench.request(objection.function, objection.parameters)
        #expect(answers.first?["params.resultCode"] == "SUCCESS")
    }

    @Test("deleting a submenu deletes its contents")
    func subMenu() throws {
        var bench = try Self.bench()
        _ = try bench.request("AddSubMenu", ["menuID": 6, "menuName": "Inner", "parentID": 5])
        _ = try bench.request("AddCommand", .command(2, "Rock", parent: 6))
        _ = try bench.request("DeleteSubMenu", ["menuID": 5])
        for (function, parameters) in [
            ("DeleteCommand", ["cmdID": 2]), ("DeleteSubMenu", ["menuID": 6]),
        ] as [(String, Value)] {
            #expect(
                try bench.request(function, parameters).first?["params.resultCode"]
                    == "INVALID_ID")
        }
        #expect(try bench.request("DeleteCommand", ["cmdID": 1]).count == 2)
    }
}

extension Value {
    /// Returns the parameters of AddCommand for a cell with the given title.
    static func command(_ id: Int64, _ name: String, parent: Int64 = 0) -> Value {
        [
            "cmdID": .integer(id),
            "menuParams": ["menuName": .string(name), "parentID": .integer(parent)],
        ]
    }
}
