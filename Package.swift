// swift-tools-version: 6.2

import PackageDescription

/// Settings of every Swift target: a warning is an error, and existential types are spelt out.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Settings of the targets whose own types borrow bytes (`~Escapable`).
let borrowing: [SwiftSetting] = strict + [.enableExperimentalFeature("Lifetimes")]

/// Settings of tests: in the release build, which tests run with, only the tested code is optimised.
let tests: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

extension Target {
    /// Creates the target of a protocol, which may depend only on the protocols that carry it.
    static func protocolTarget(
        _ name: String, at folder: String, carriedBy carriers: [String] = [], shims: [String] = []
    ) -> Target {
        .target(
            name: name,
            dependencies: (shims + carriers + ["Wire"]).map { .init(stringLiteral: $0) },
            path: "Sources/Protocols/\(folder)", swiftSettings: borrowing)
    }
}

let package = Package(
    name: "conform",
    products: [
        .executable(name: "conform", targets: ["conform"]),
        .executable(name: "conform-device", targets: ["conform-device"]),
        .library(name: "AccessoryBus", targets: ["AccessoryBus"]),
    ],
    targets: [
        // System libraries and C shims.
        .systemLibrary(name: "CPrefetch", path: "Sources/Shims/CPrefetch"),
        .target(name: "CPcap", path: "Sources/Shims/CPcap", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(
            name: "CYAML", path: "Sources/Shims/CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(
            name: "CBSON", path: "Sources/Shims/CBSON", pkgConfig: "libbson-1.0",
            providers: [.apt(["libbson-dev"])]),
        .systemLibrary(
            name: "CPCRE2", path: "Sources/Shims/CPCRE2", pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/Shims/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CZstd", path: "Sources/Shims/CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"])]),
        .target(
            name: "CSimdJSON", path: "Sources/Shims/CSimdJSON",
            linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CSandbox", path: "Sources/Shims/CSandbox"),
        .target(name: "CSHA256", path: "Sources/Shims/CSHA256"),
        .target(
            name: "COpenSSL", path: "Sources/Shims/COpenSSL",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),

        // The modules, bottom up. A dependency that is not listed here is not allowed.
        .target(name: "Files", path: "Sources/Core/System/Files", swiftSettings: strict),
        .target(
            name: "Processes", dependencies: ["CSandbox"], path: "Sources/Core/System/Processes",
            swiftSettings: strict),
        .target(
            name: "Capture", dependencies: ["CPcap", "CPrefetch", "CZlib", "CZstd", "Files"],
            path: "Sources/Core/Capture",
            swiftSettings: borrowing),
        .target(
            name: "Wire", dependencies: ["CBSON", "CSHA256", "CSimdJSON"],
            path: "Sources/Core/Wire",
            swiftSettings: borrowing),
        .protocolTarget("TCPIP", at: "TCPIP"),
        .protocolTarget("TLS", at: "TLS/Codec", shims: ["COpenSSL"]),
        .protocolTarget("SDL", at: "SDL/Codec"),
        .protocolTarget("HTTP", at: "HTTP/HTTP", shims: ["CZlib"]),
        .protocolTarget("WebSocket", at: "HTTP/WebSocket", carriedBy: ["HTTP"]),
        .protocolTarget("Diffusion", at: "Diffusion/Codec", carriedBy: ["HTTP", "WebSocket"]),
        .protocolTarget("ExternalAccessory", at: "SDL/ExternalAccessory"),
        .protocolTarget("IAP2", at: "SDL/IAP2", carriedBy: ["ExternalAccessory"]),
        .protocolTarget("Bluetooth", at: "Bluetooth/Codec"),
        .target(
            name: "Trace",
            dependencies: ["Bluetooth", "Capture", "TCPIP", "Wire"], path: "Sources/Core/Trace",
            swiftSettings: borrowing),
        .target(
            name: "YAML", dependencies: ["CYAML", "Files", "Wire"], path: "Sources/Core/YAML",
            swiftSettings: strict),
        .target(
            name: "Kaitai", dependencies: ["CZlib", "Wire", "YAML"],
            path: "Sources/Protocols/Described", swiftSettings: strict),
        .target(
            name: "SuiteLanguage",
            dependencies: ["CPCRE2", "HTTP", "Kaitai", "TCPIP", "Wire", "YAML"],
            path: "Sources/Core/SuiteLanguage",
            swiftSettings: strict),
        .target(
            name: "Results", dependencies: ["Files", "SuiteLanguage", "Wire"],
            path: "Sources/Core/Results", swiftSettings: strict),
        .target(
            name: "Judge",
            dependencies: ["Results", "SuiteLanguage", "TCPIP", "Trace", "Wire"],
            path: "Sources/Core/Judge", swiftSettings: strict),
        .target(
            name: "Offline",
            dependencies: [
                "Capture", "Files", "HTTP", "Processes", "Results", "SuiteLanguage", "TCPIP",
                "Trace",
                "Judge", "Wire",
            ], path: "Sources/Core/Offline",
            swiftSettings: strict),
        // What plays the counterparts, and the kinds of each protocol beside it.
        .target(
            name: "PeerKit", dependencies: ["SuiteLanguage", "TCPIP", "Wire"],
            path: "Sources/Core/PeerKit", swiftSettings: strict),
        .target(
            name: "ScriptedPeers",
            dependencies: ["HTTP", "PeerKit", "SuiteLanguage", "TCPIP", "WebSocket", "Wire"],
            path: "Sources/Protocols/Scripted",
            swiftSettings: strict),
        .target(
            name: "TLSPeers", dependencies: ["PeerKit", "TLS", "Wire"],
            path: "Sources/Protocols/TLS/Peers", swiftSettings: strict),
        .target(
            name: "SDLPeers",
            dependencies: [
                "CZlib", "ExternalAccessory", "PeerKit", "SDL", "SuiteLanguage", "TCPIP", "Wire",
            ], path: "Sources/Protocols/SDL/Peers",
            swiftSettings: strict),
        .target(
            name: "AccessoryPeers",
            dependencies: [
                "ExternalAccessory", "IAP2", "PeerKit", "SDL", "SDLPeers", "SuiteLanguage", "TCPIP",
                "Wire",
            ], path: "Sources/Protocols/SDL/AccessoryPeers",
            swiftSettings: strict),
        .target(
            name: "DiffusionPeers",
            dependencies: [
                "Diffusion", "HTTP", "PeerKit", "SuiteLanguage", "TCPIP", "WebSocket", "Wire",
            ], path: "Sources/Protocols/Diffusion/Peers",
            swiftSettings: strict),
        .target(
            name: "BluetoothPeers",
            dependencies: [
                "ExternalAccessory", "IAP2", "PeerKit", "ScriptedPeers", "SuiteLanguage", "TCPIP",
                "Wire",
            ], path: "Sources/Protocols/Bluetooth/Peers",
            swiftSettings: strict),
        .target(
            name: "ProgramPeers",
            dependencies: [
                "HTTP", "PeerKit", "SDL", "SDLPeers", "ScriptedPeers", "SuiteLanguage", "TCPIP",
                "WebSocket",
                "Wire",
            ], path: "Sources/Protocols/Programs",
            swiftSettings: strict),
        .target(
            name: "BuiltInProtocols",
            dependencies: [
                "AccessoryPeers", "Bluetooth", "BluetoothPeers", "Diffusion", "DiffusionPeers",
                "ExternalAccessory", "HTTP", "IAP2", "PeerKit", "ProgramPeers", "SDL", "SDLPeers",
                "ScriptedPeers", "TCPIP", "TLS", "TLSPeers", "WebSocket", "Wire",
            ], path: "Sources/Protocols/All",
            swiftSettings: strict),
        .target(
            name: "Devices",
            dependencies: [
                "CSandbox", "Files", "HTTP", "Processes", "Sockets", "SuiteLanguage", "TCPIP",
                "Wire",
            ], path: "Sources/Core/Devices",
            swiftSettings: strict),
        .target(
            name: "Live",
            dependencies: [
                "CSandbox", "Capture", "Devices", "Files", "Offline", "PeerKit", "Processes",
                "Results", "SuiteLanguage", "TCPIP", "Trace", "Judge", "Wire",
            ], path: "Sources/Core/Live",
            swiftSettings: strict),
        .target(
            name: "Reporting", dependencies: ["Files", "Results", "SuiteLanguage", "Wire"],
            path: "Sources/Core/Reporting",
            swiftSettings: strict),
        .target(
            name: "Listings", dependencies: ["Reporting", "SuiteLanguage", "Trace", "Wire"],
            path: "Sources/Core/Listings",
            swiftSettings: strict),
        .target(name: "Sockets", path: "Sources/Core/System/Sockets", swiftSettings: strict),
        .target(
            name: "AccessoryBus", dependencies: ["ExternalAccessory", "Sockets", "Wire"],
            path: "Sources/Protocols/SDL/AccessoryBus",
            swiftSettings: strict),
        .target(
            name: "ReferenceDevice",
            dependencies: [
                "AccessoryBus", "Bluetooth", "Diffusion", "ExternalAccessory", "HTTP", "IAP2",
                "SDL", "Sockets", "WebSocket", "Wire",
            ], path: "ReferenceDevices/ReferenceDevice",
            swiftSettings: strict),
        .target(
            name: "Commands",
            dependencies: [
                "Capture", "Devices", "Files", "Listings", "Live", "Offline", "PeerKit",
                "Processes",
                "Reporting", "Results", "SuiteLanguage", "TCPIP", "Trace", "Judge", "Wire", "YAML",
            ], path: "Sources/Core/Commands",
            swiftSettings: strict),
        .executableTarget(
            name: "conform", dependencies: ["BuiltInProtocols", "Commands", "PeerKit", "Wire"],
            path: "Sources/Core/conform",
            swiftSettings: strict),
        .executableTarget(
            name: "conform-device", dependencies: ["ReferenceDevice"],
            path: "ReferenceDevices/conform-device",
            swiftSettings: strict),

        // Tests mirror the sources.
        .target(
            name: "TestTraffic", dependencies: ["Bluetooth", "TCPIP", "Trace", "Wire"],
            path: "Tests/TestTraffic",
            swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["Wire"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "TestBench",
            dependencies: [
                "BuiltInProtocols", "Capture", "Files", "Offline", "Results", "SuiteLanguage",
                "TCPIP",
                "TestSupport", "TestTraffic", "Trace", "Judge", "Wire",
            ],
            path: "Tests/TestBench", swiftSettings: strict),
        .testTarget(
            name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "CaptureTests",
            dependencies: ["CZlib", "CZstd", "Capture", "Files", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "ProtocolsTests",
            dependencies: [
                "BuiltInProtocols", "CZlib", "Diffusion", "ExternalAccessory", "HTTP", "IAP2",
                "SDL", "TCPIP", "TLS", "TestSupport", "WebSocket", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "BluetoothTests",
            dependencies: ["Bluetooth", "BuiltInProtocols", "TestSupport", "Wire"],
            swiftSettings: tests),
        .testTarget(
            name: "TraceTests",
            dependencies: [
                "Bluetooth", "BuiltInProtocols", "Capture", "ExternalAccessory", "HTTP", "IAP2",
                "SDL", "TCPIP", "TestSupport", "TestTraffic", "Trace", "WebSocket", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "KaitaiTests", dependencies: ["Kaitai", "TestSupport", "YAML"],
            swiftSettings: tests),
        .testTarget(
            name: "SuiteLanguageTests",
            dependencies: [
                "BuiltInProtocols", "HTTP", "SuiteLanguage", "TCPIP", "TestSupport", "Wire",
            ],
            exclude: ["Broken"],
            swiftSettings: tests),
        .testTarget(
            name: "JudgeTests",
            dependencies: [
                "BuiltInProtocols", "PeerKit", "Results", "SuiteLanguage", "TCPIP", "TestSupport",
                "Trace",
                "Judge", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "OfflineTests",
            dependencies: [
                "BuiltInProtocols", "Capture", "ExternalAccessory", "Offline", "Results", "SDL",
                "SuiteLanguage", "TCPIP", "TestBench", "TestSupport", "TestTraffic", "Trace",
                "Judge",
                "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "BluetoothPeersTests", dependencies: ["BluetoothPeers"],
            swiftSettings: tests),
        .testTarget(
            name: "PeersTests",
            dependencies: [
                "AccessoryPeers", "BluetoothPeers", "BuiltInProtocols", "Diffusion",
                "DiffusionPeers", "ExternalAccessory", "HTTP", "IAP2", "PeerKit", "ProgramPeers",
                "SDL", "SDLPeers", "ScriptedPeers", "SuiteLanguage", "TCPIP", "TLS", "TLSPeers",
                "TestSupport", "WebSocket", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "DevicesTests",
            dependencies: [
                "BuiltInProtocols", "Devices", "Files", "HTTP", "SuiteLanguage", "TestSupport",
                "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "LiveTests",
            dependencies: [
                "BuiltInProtocols", "CSandbox", "Capture", "Devices", "Files", "Live", "Offline",
                "PeerKit", "Processes", "Results", "SuiteLanguage", "TCPIP", "TestBench",
                "TestSupport",
                "Trace", "Judge", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "BuiltInProtocols", "Capture", "Files", "Listings", "Live", "Reporting", "Results",
                "SuiteLanguage", "TestSupport", "Trace", "Judge", "Wire",
            ],
            exclude: ["Golden", "Schemas"], swiftSettings: tests),
        .testTarget(
            name: "AccessoryBusTests",
            dependencies: ["AccessoryBus", "ExternalAccessory", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "ReferenceDeviceTests",
            dependencies: [
                "AccessoryBus", "BluetoothPeers", "BuiltInProtocols", "Diffusion",
                "ExternalAccessory", "HTTP", "IAP2", "ReferenceDevice", "SDL", "Sockets",
                "TestSupport", "WebSocket", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CorpusTests",
            dependencies: [
                "BuiltInProtocols", "Capture", "Offline", "Reporting", "Results", "SDL",
                "SuiteLanguage",
                "TCPIP", "TestSupport", "TestTraffic", "Trace", "Judge", "Wire",
            ],
            exclude: ["Corpus", "README.md"], swiftSettings: tests),

        // A made-up protocol with its peer, and `conform` with both (Documentation/add-a-protocol.md).
        .target(
            name: "EchoProtocol", dependencies: ["Wire"], path: "Tests/Echo/EchoProtocol",
            swiftSettings: borrowing),
        .target(
            name: "EchoPeer",
            dependencies: ["EchoProtocol", "PeerKit", "SuiteLanguage", "TCPIP", "Wire"],
            path: "Tests/Echo/EchoPeer", swiftSettings: strict),
        .executableTarget(
            name: "conform-echo",
            dependencies: [
                "BuiltInProtocols", "Commands", "EchoPeer", "EchoProtocol", "PeerKit", "Wire",
            ],
            path: "Tests/Echo/conform-echo", swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["Devices", "EchoProtocol", "TestSupport", "Wire"],
            exclude: [
                "Bench/board.py", "Bench/capture.py", "Bench/engine.py", "Bench/kubelet.py",
                "Bench/slurm-cluster",
                "Suites",
            ],
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// The fuzzer has a build of its own (Scripts/fuzz), because every object is instrumented for it.
if Context.environment["CONFORM_FUZZ"] != nil {
    package.targets += [
        .executableTarget(
            name: "conform-fuzz",
            dependencies: [
                "Bluetooth", "BuiltInProtocols", "CSandbox", "Capture", "Devices", "HTTP",
                "IAP2", "Kaitai", "Offline", "Reporting", "Results", "SuiteLanguage", "TCPIP",
                "Trace",
                "Wire", "YAML",
            ],
            path: "Tests/Fuzzing/conform-fuzz", swiftSettings: strict)
    ]
}
