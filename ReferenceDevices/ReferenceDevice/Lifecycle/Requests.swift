import Wire

extension LifecycleConfiguration {
    /// The version of the RPC specification that the app is written for.
    private static let rpcVersion: Value = [
        "majorVersion": 8, "minorVersion": 0, "patchVersion": 0,
    ]

    /// Returns the parameters of RegisterAppInterface.
    ///
    /// The configured language is requested for both languages.
    ///
    /// - Parameter hashID: The hash of the data to resume; not sent if `nil`.
    func registrationParameters(hashID: String?) -> Value {
        var members = [
            Value.Member("syncMsgVersion", LifecycleConfiguration.rpcVersion),
            Value.Member("appName", .string(appName)),
        ]
        if let ttsName {
            members.append(Value.Member("ttsName", .array(ttsName.map(\.value))))
        }
        if let shortAppName {
            members.append(Value.Member("ngnMediaScreenAppName", .string(shortAppName)))
        }
        if let names = voiceRecognitionCommandNames {
            members.append(Value.Member("vrSynonyms", .array(names.map(Value.string))))
        }
        members += [
            Value.Member("isMediaApplication", .bool(isMediaApplication)),
            Value.Member("languageDesired", .string(language)),
            Value.Member("hmiDisplayLanguageDesired", .string(language)),
            Value.Member("appHMIType", isMediaApplication ? ["MEDIA"] : ["DEFAULT"]),
            Value.Member("appID", .string(appID)),
        ]
        if let fullAppID {
            members.append(Value.Member("fullAppID", .string(fullAppID)))
        }
        if let hashID { members.append(Value.Member("hashID", .string(hashID))) }
        return .object(members)
    }
}
