import PeerKit
import Wire

/// The capabilities of the simulated head unit: a plausible unit with a large touch screen.
enum HeadUnitCapabilities {
    /// The RPC version that it implements.
    static let syncMsgVersion: Value = [
        "majorVersion": 8, "minorVersion": 0, "patchVersion": 0,
    ]

    /// The vehicle into which it is built.
    static let vehicleType: Value = [
        "make": "Conform", "model": "Bench", "modelYear": "2026", "trim": "Reference",
    ]

    static let systemSoftwareVersion: Value = "conform 1.0"
    static let systemHardwareVersion: Value = "conform bench 1"

    /// The free space for the app's files, in bytes.
    static let spaceAvailable: Value = 104_857_600

    /// The capability parameters of a RegisterAppInterface response.
    ///
    /// They are in the order of the specification.
    static let registration: [Value.Member] = [
        Value.Member("displayCapabilities", display),
        Value.Member("buttonCapabilities", .array(buttons)),
        Value.Member("softButtonCapabilities", [softButtons]),
        Value.Member("presetBankCapabilities", ["onScreenPresetsAvailable": true]),
        Value.Member("hmiZoneCapabilities", ["FRONT"]),
        Value.Member(
            "speechCapabilities", ["TEXT", "SAPI_PHONEMES", "PRE_RECORDED", "SILENCE", "FILE"]),
        Value.Member(
            "prerecordedSpeech",
            [
                "HELP_JINGLE", "INITIAL_JINGLE", "LISTEN_JINGLE", "POSITIVE_JINGLE",
                "NEGATIVE_JINGLE",
            ]),
        Value.Member("vrCapabilities", ["TEXT"]),
        Value.Member(
            "audioPassThruCapabilities",
            [audioPassThru("8KHZ", "8_BIT"), audioPassThru("16KHZ", "16_BIT")]),
        Value.Member("pcmStreamCapabilities", audioPassThru("16KHZ", "16_BIT")),
        Value.Member("vehicleType", vehicleType),
        Value.Member("supportedDiagModes", [1, 2, 3, 5, 6, 7, 9, 10, 24, 25, 34, 62]),
        Value.Member("hmiCapabilities", hmi),
        Value.Member("sdlVersion", "8.2.0"),
        Value.Member("systemSoftwareVersion", systemSoftwareVersion),
    ]

    private static let hmi: Value = [
        "navigation": true, "phoneCall": true, "videoStreaming": true, "remoteControl": false,
        "appServices": false, "displays": true, "seatLocation": true, "driverDistraction": true,
    ]

    private static func audioPassThru(_ rate: Value, _ bits: Value) -> Value {
        ["samplingRate": rate, "bitsPerSample": bits, "audioType": "PCM"]
    }
}

/// The screen.
extension HeadUnitCapabilities {
    static let display: Value = [
        "displayType": "GEN2_8_DMA", "displayName": "SDL_GENERIC",
        "textFields": .array(textFields),
        "imageFields": .array(imageFields),
        "mediaClockFormats": ["CLOCK1", "CLOCK2", "CLOCK3", "CLOCKTEXT1", "CLOCKTEXT2"],
        "graphicSupported": true,
        "templatesAvailable": templates,
        "screenParams": [
            "resolution": resolution,
            "touchEventAvailable": [
                "pressAvailable": true, "multiTouchAvailable": true, "doublePressAvailable": false,
            ],
        ],
        "numCustomPresetsAvailable": 8,
    ]

    /// The screen in the format of the newer `DISPLAYS` capability.
    static let displays: Value = [
        [
            "displayName": "SDL_GENERIC",
            "windowTypeSupported": [
                ["type": "MAIN", "maximumNumberOfWindows": 1],
                ["type": "WIDGET", "maximumNumberOfWindows": 2],
            ],
            "windowCapabilities": [
                [
                    "windowID": 0,
                    "textFields": .array(textFields),
                    "imageFields": .array(imageFields),
                    "imageTypeSupported": ["STATIC", "DYNAMIC"],
                    "templatesAvailable": templates,
                    "numCustomPresetsAvailable": 8,
                    "buttonCapabilities": .array(buttons),
                    "softButtonCapabilities": [softButtons],
                    "menuLayoutsAvailable": ["LIST", "TILES"],
                ]
            ],
        ]
    ]

    static let softButtons: Value = [
        "shortPressAvailable": true, "longPressAvailable": true, "upDownAvailable": true,
        "imageSupported": true, "textSupported": true,
    ]

    static let presetBank: Value = ["onScreenPresetsAvailable": true]

    static let buttons: [Value] =
        ([
            "OK", "PLAY_PAUSE", "SEEKLEFT", "SEEKRIGHT", "TUNEUP", "TUNEDOWN", "PRESET_0",
            "PRESET_1",
            "PRESET_2", "PRESET_3", "PRESET_4", "PRESET_5", "PRESET_6", "PRESET_7", "PRESET_8",
            "PRESET_9", "SEARCH", "NAV_CENTER_LOCATION", "NAV_ZOOM_IN", "NAV_ZOOM_OUT",
        ] as [Value]).map {
            [
                "name": $0, "shortPressAvailable": true, "longPressAvailable": true,
                "upDownAvailable": true,
            ]
        }

    private static let templates: Value = [
        "DEFAULT", "MEDIA", "NON-MEDIA", "LARGE_GRAPHIC_WITH_SOFTBUTTONS", "LARGE_GRAPHIC_ONLY",
        "GRAPHIC_WITH_TEXT", "TEXT_WITH_GRAPHIC", "TILES_ONLY", "TEXTBUTTONS_ONLY",
        "DOUBLE_GRAPHIC_WITH_SOFTBUTTONS", "NAV_FULLSCREEN_MAP",
    ]

    private static let resolution: Value = ["resolutionWidth": 1280, "resolutionHeight": 720]

    private static let textFields: [Value] =
        ([
            "mainField1", "mainField2", "mainField3", "mainField4", "statusBar", "mediaClock",
            "mediaTrack", "templateTitle", "alertText1", "alertText2", "alertText3",
            "scrollableMessageBody", "initialInteractionText", "navigationText1", "navigationText2",
            "ETA", "totalDistance", "audioPassThruDisplayText1", "audioPassThruDisplayText2",
            "sliderHeader", "sliderFooter", "menuName", "secondaryText", "tertiaryText",
            "menuTitle",
            "locationName", "locationDescription", "addressLines", "phoneNumber",
            "timeToDestination",
            "subtleAlertText1", "subtleAlertText2",
        ] as [Value]).map { ["name": $0, "characterSet": "UTF_8", "width": 500, "rows": 1] }

    private static let imageFields: [Value] =
        ([
            "softButtonImage", "choiceImage", "choiceSecondaryImage", "vrHelpItem", "turnIcon",
            "menuIcon", "cmdIcon", "appIcon", "graphic", "secondaryGraphic", "showConstantTBTIcon",
            "showConstantTBTNextTurnIcon", "locationImage", "alertIcon", "subMenuIcon",
            "subtleAlertIcon",
        ] as [Value]).map {
            [
                "name": $0,
                "imageTypeSupported": ["GRAPHIC_BMP", "GRAPHIC_JPEG", "GRAPHIC_PNG"],
                "imageResolution": ["resolutionWidth": 128, "resolutionHeight": 128],
            ]
        }
}

/// The answers to GetSystemCapability.
extension HeadUnitCapabilities {
    /// Returns the capability of a type; `nil` for one that the unit does not have.
    static func systemCapability(_ type: String) -> Value? {
        switch type {
        case "NAVIGATION":
            capability(
                type, "navigationCapability",
                ["sendLocationEnabled": true, "getWayPointsEnabled": true])
        case "PHONE_CALL":
            capability(type, "phoneCapability", ["dialNumberEnabled": true])
        case "VIDEO_STREAMING":
            capability(type, "videoStreamingCapability", videoStreaming)
        case "DISPLAYS":
            capability(type, "displayCapabilities", displays)
        case "REMOTE_CONTROL":
            capability(type, "remoteControlCapability", .object([]))
        case "APP_SERVICES":
            capability(type, "appServicesCapabilities", ["appServices": []])
        case "SEAT_LOCATION":
            capability(type, "seatLocationCapability", ["rows": 2, "columns": 3, "levels": 1])
        case "DRIVER_DISTRACTION":
            capability(
                type, "driverDistractionCapability", ["menuLength": 20, "subMenuDepth": 3])
        default:
            nil
        }
    }

    private static func capability(_ type: String, _ name: String, _ content: Value) -> Value {
        .object([
            Value.Member("systemCapabilityType", .string(type)), Value.Member(name, content),
        ])
    }

    private static let videoStreaming: Value = [
        "preferredResolution": resolution, "maxBitrate": 10_000,
        "supportedFormats": [
            ["protocol": "RAW", "codec": "H264"], ["protocol": "RTP", "codec": "H264"],
        ],
        "hapticSpatialDataSupported": false, "diagonalScreenSize": 8.0, "pixelPerInch": 183.0,
        "scale": 1.0,
    ]
}
