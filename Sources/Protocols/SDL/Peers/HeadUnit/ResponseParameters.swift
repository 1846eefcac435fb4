import PeerKit
import Wire

/// The parameters with which a head unit answers a request.
enum ResponseParameters {
    /// Returns the parameters of a refusal.
    static func refusal(_ resultCode: String, info: String? = nil) -> Value {
        var members = [
            Value.Member("success", false), Value.Member("resultCode", .string(resultCode)),
        ]
        if let info { members.append(Value.Member("info", .string(info))) }
        return .object(members)
    }

    /// Returns the parameters of a successful response.
    ///
    /// They are the common parameters, the mandatory ones, and those that apps rely on.
    static func success(of function: String, to request: Value, memory: AppMemory) -> Value {
        let own = specific(function, request) + remembered(function, request, memory)
        var members = [Value.Member("success", true), Value.Member("resultCode", "SUCCESS")]
        let mandatory = DefaultParameters.mandatory(of: "sdl.\(function).response")
        for member in own + (mandatory.objectValue ?? [])
        where !members.contains(where: { $0.name == member.name }) {
            members.append(member)
        }
        return .object(members)
    }

    private static func specific(_ function: String, _ request: Value) -> [Value.Member] {
        switch function {
        case "PutFile", "DeleteFile", "ListFiles":
            [.init("spaceAvailable", HeadUnitCapabilities.spaceAvailable)]
        case "SetDisplayLayout":
            [
                .init("displayCapabilities", HeadUnitCapabilities.display),
                .init("buttonCapabilities", .array(HeadUnitCapabilities.buttons)),
                .init("softButtonCapabilities", [HeadUnitCapabilities.softButtons]),
                .init("presetBankCapabilities", HeadUnitCapabilities.presetBank),
            ]
        case "GetSystemCapability":
            HeadUnitCapabilities.systemCapability(
                request["systemCapabilityType"]?.stringValue ?? ""
            ).map { [.init("systemCapability", $0)] } ?? []
        case "Slider":
            copied("position", of: request, as: "sliderPosition")
        case "GetDTCs":
            copied("ecuName", of: request, as: "ecuHeader")
        case "GetInteriorVehicleData":
            copied("subscribe", of: request, as: "isSubscribed")
        case "GetInteriorVehicleDataConsent":
            [
                .init(
                    "allowed",
                    .array((request["moduleIds"]?.arrayValue ?? []).map { _ in true }))
            ]
        case "PublishAppService":
            publishedService(request)
        default:
            []
        }
    }

    /// Returns the parameters that depend on what the app has set before.
    private static func remembered(
        _ function: String, _ request: Value, _ memory: AppMemory
    ) -> [Value.Member] {
        switch function {
        case "ListFiles":
            let names = memory.files.keys.sorted().map { Value.string($0) }
            return names.isEmpty ? [] : [.init("filenames", .array(names))]
        case "PerformInteraction":
            let set = request["interactionChoiceSetIDList"]?.arrayValue?.first?.integerValue
            return memory.firstChoice(of: set).map {
                [.init("choiceID", .integer($0)), .init("triggerSource", "MENU")]
            } ?? []
        default:
            return []
        }
    }

    private static func copied(
        _ name: String, of request: Value, as newName: String
    ) -> [Value.Member] {
        request[name].map { [.init(newName, $0)] } ?? []
    }

    private static func publishedService(_ request: Value) -> [Value.Member] {
        guard let manifest = request["appServiceManifest"] else { return [] }
        let record: Value = [
            "serviceID": "service-1", "serviceManifest": manifest, "servicePublished": true,
            "serviceActive": true,
        ]
        return [.init("appServiceRecord", record)]
    }
}

// MARK: - Registration

extension ResponseParameters {
    /// Returns the parameters of the response to an accepted registration.
    ///
    /// The result code shows the most serious difference, as in sdl_core: WRONG_LANGUAGE, then
    /// RESUME_FAILED (the hash is refused), then SUCCESS; each with `success: true`. If the hash is
    /// accepted, languages are not compared.
    static func registration(
        _ request: Value, settings: HeadUnitSettings, resumption: HeadUnitPeer.Resumption,
        iconIsThere: Bool
    ) -> Value {
        let changes = settings.registerAppInterface
        if changes["success"] == false {
            return refusal("GENERIC_ERROR").merging(changes)
        }
        var members: [Value.Member] = [.init("success", true), .init("resultCode", "SUCCESS")]
        members += [
            .init("syncMsgVersion", HeadUnitCapabilities.syncMsgVersion),
            .init("language", .string(settings.language)),
            .init("hmiDisplayLanguage", .string(settings.hmiDisplayLanguage)),
        ]
        members += HeadUnitCapabilities.registration.map {
            $0.name == "vehicleType" ? .init($0.name, settings.vehicle) : $0
        }
        members.append(.init("iconResumed", .bool(iconIsThere)))
        let stated = Value.object(members).merging(changes)
        let outcome = outcome(of: request, stated: stated, resumption)
        let answer = outcome.apply(to: .object(members)).merging(changes)
        // Warnings go with a success. In place of RESUME_FAILED they would tell the app that its hash
        // was accepted.
        guard outcome.resultCode == "RESUME_FAILED", changes["resultCode"] == "WARNINGS" else {
            return answer
        }
        return answer.merging(["resultCode": "RESUME_FAILED"])
    }

    private struct Outcome {
        var resultCode: String
        var info: String?

        func apply(to parameters: Value) -> Value {
            var members = parameters.objectValue ?? []
            members[1].value = .string(resultCode)
            if let info { members.insert(.init("info", .string(info)), at: 2) }
            return .object(members)
        }
    }

    private static func outcome(
        of request: Value, stated: Value, _ resumption: HeadUnitPeer.Resumption
    ) -> Outcome {
        var info: String?
        switch resumption {
        case .accepted: return Outcome(resultCode: "SUCCESS", info: "Resumption succeeded")
        case .refused(let reason): info = reason
        case .notAsked: break
        }
        if differs(request["languageDesired"], stated["language"])
            || differs(request["hmiDisplayLanguageDesired"], stated["hmiDisplayLanguage"])
        {
            return Outcome(resultCode: "WRONG_LANGUAGE", info: info)
        }
        return Outcome(resultCode: info == nil ? "SUCCESS" : "RESUME_FAILED", info: info)
    }

    private static func differs(_ desired: Value?, _ actual: Value?) -> Bool {
        guard let desired, let actual else { return false }
        return desired != actual
    }
}
