import Protocols

/// The parameters with which a head unit answers a request.
enum ResponseParameters {
    /// The answer to a request that is refused.
    static func refusal(_ resultCode: String, info: String? = nil) -> Value {
        var members = [
            Value.Member("success", false), Value.Member("resultCode", .string(resultCode)),
        ]
        if let info { members.append(Value.Member("info", .string(info))) }
        return .object(members)
    }

    /// The answer to a request that succeeds: the common parameters, what is mandatory, and what
    /// apps count on.
    static func success(of function: String, to request: Value) -> Value {
        let own = specific(function, request)
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
    /// The answer to a registration that is accepted.
    ///
    /// The result code tells the gravest of what differs, as sdl_core has it: WRONG_LANGUAGE, then
    /// RESUME_FAILED (no data is kept), then SUCCESS; each with `success: true`.
    static func registration(_ request: Value, settings: HeadUnitSettings) -> Value {
        let changes = settings.registerAppInterface
        if changes["success"] == false {
            return merge(refusal("GENERIC_ERROR"), changes)
        }
        var members: [Value.Member] = [.init("success", true), .init("resultCode", "SUCCESS")]
        members += [
            .init("syncMsgVersion", HeadUnitCapabilities.syncMsgVersion),
            .init("language", .string(settings.language)),
            .init("hmiDisplayLanguage", .string(settings.hmiDisplayLanguage)),
        ]
        members += HeadUnitCapabilities.registration
        members.append(.init("iconResumed", false))
        let told = merge(.object(members), changes)
        let outcome = outcome(of: request, told: told)
        return merge(outcome.apply(to: .object(members)), changes)
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

    private static func outcome(of request: Value, told: Value) -> Outcome {
        let isResumption = request["hashID"]?.stringValue?.isEmpty == false
        let hashInfo = isResumption ? "No data is kept under that hashID" : nil
        if differs(request["languageDesired"], told["language"])
            || differs(request["hmiDisplayLanguageDesired"], told["hmiDisplayLanguage"])
        {
            return Outcome(resultCode: "WRONG_LANGUAGE", info: hashInfo)
        }
        return Outcome(resultCode: isResumption ? "RESUME_FAILED" : "SUCCESS", info: hashInfo)
    }

    private static func differs(_ desired: Value?, _ actual: Value?) -> Bool {
        guard let desired, let actual else { return false }
        return desired != actual
    }

    /// `base` with the members of `changes` in it: objects are merged, null takes a member out.
    static func merge(_ base: Value, _ changes: Value) -> Value {
        guard var members = base.objectValue, let changed = changes.objectValue else {
            return changes
        }
        for change in changed {
            let index = members.firstIndex { $0.name == change.name }
            switch (index, change.value) {
            case (let index?, .null): members.remove(at: index)
            case (nil, .null): break
            case (let index?, let value): members[index].value = merge(members[index].value, value)
            case (nil, let value): members.append(.init(change.name, value))
            }
        }
        return .object(members)
    }
}
