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
            name: "CWire", path: "Sources/Shims/CWire",
            linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CSandbox", path: "Sources/Shims/CSandbox"),
        .target(
            name: "COpenSSL", path: "Sources/Shims/COpenSSL",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),

        // The modules, bottom up. A dependency that is not listed here is not allowed.
        .target(
            name: "System", dependencies: ["CSandbox"], path: "Sources/Core/System",
            swiftSettings: strict),
        .target(
            name: "Capture", dependencies: ["CPcap", "CPrefetch", "CZlib", "CZstd", "System"],
            path: "Sources/Core/Capture",
            swiftSettings: borrowing),
        .target(
            name: "Wire", dependencies: ["CBSON", "CWire"],
            path: "Sources/Core/Wire",
            swiftSettings: borrowing),
        .protocolTarget("TCPIP", at: "TCPIP"),
        .protocolTarget("SDL", at: "SDL/Codec"),
        .protocolTarget("HTTP", at: "HTTP", shims: ["CZlib"]),
        .protocolTarget("Diffusion", at: "Diffusion/Codec", carriedBy: ["HTTP"]),
        .protocolTarget("ExternalAccessory", at: "SDL/ExternalAccessory"),
        .protocolTarget("Bluetooth", at: "Bluetooth/Codec"),
        .target(
            name: "Trace",
            dependencies: ["Bluetooth", "Capture", "TCPIP", "Wire"], path: "Sources/Core/Trace",
            swiftSettings: borrowing),
        .target(
            name: "YAML", dependencies: ["CYAML", "System", "Wire"], path: "Sources/Core/YAML",
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
            name: "Results", dependencies: ["SuiteLanguage", "System", "Wire"],
            path: "Sources/Core/Results", swiftSettings: strict),
        .target(
            name: "Judge",
            dependencies: ["Results", "SuiteLanguage", "TCPIP", "Trace", "Wire"],
            path: "Sources/Core/Judge", swiftSettings: strict),
        .target(
            name: "Offline",
            dependencies: [
                "Capture", "HTTP", "Judge", "Results", "SuiteLanguage", "System", "TCPIP", "Trace",
                "Wire",
            ], path: "Sources/Core/Offline",
            swiftSettings: strict),
        // What plays the counterparts, and the kinds of each protocol beside it.
        .target(
            name: "PeerKit", dependencies: ["SuiteLanguage", "TCPIP", "Wire"],
            path: "Sources/Core/PeerKit", swiftSettings: strict),
        .target(
            name: "ScriptedPeers",
            dependencies: ["HTTP", "PeerKit", "SuiteLanguage", "TCPIP", "Wire"],
            path: "Sources/Protocols/Scripted",
            swiftSettings: strict),
        .protocolTarget("TLS", at: "TLS", carriedBy: ["PeerKit"], shims: ["COpenSSL"]),
        .target(
            name: "SDLPeers",
            dependencies: [
                "CZlib", "ExternalAccessory", "PeerKit", "SDL", "SuiteLanguage", "TCPIP", "Wire",
            ], path: "Sources/Protocols/SDL/Peers",
            swiftSettings: strict),
        .target(
            name: "DiffusionPeers",
            dependencies: ["Diffusion", "HTTP", "PeerKit", "SuiteLanguage", "TCPIP", "Wire"],
            path: "Sources/Protocols/Diffusion/Peers",
            swiftSettings: strict),
        .target(
            name: "BluetoothPeers",
            dependencies: [
                "Bluetooth", "ExternalAccessory", "PeerKit", "ScriptedPeers", "SuiteLanguage",
                "TCPIP", "Wire",
            ], path: "Sources/Protocols/Bluetooth/Peers",
            swiftSettings: strict),
        .target(
            name: "BuiltInProtocols",
            dependencies: [
                "Bluetooth", "BluetoothPeers", "Diffusion", "DiffusionPeers", "ExternalAccessory",
                "HTTP", "PeerKit", "SDL", "SDLPeers", "ScriptedPeers", "SuiteLanguage", "TCPIP",
                "TLS", "Wire",
            ], path: "Sources/Protocols/All",
            swiftSettings: strict),
        .target(
            name: "Devices",
            dependencies: ["CSandbox", "HTTP", "SuiteLanguage", "System", "TCPIP", "Wire"],
            path: "Sources/Core/Devices",
            swiftSettings: strict),
        .target(
            name: "Live",
            dependencies: [
                "CSandbox", "Capture", "Devices", "Judge", "Offline", "PeerKit", "Results",
                "SuiteLanguage", "System", "TCPIP", "Trace", "Wire",
            ], path: "Sources/Core/Live",
            swiftSettings: strict),
        .target(
            name: "Reporting", dependencies: ["Results", "SuiteLanguage", "System", "Wire"],
            path: "Sources/Core/Reporting",
            swiftSettings: strict),
        .target(
            name: "AccessoryBus", dependencies: ["ExternalAccessory", "System", "Wire"],
            path: "Sources/Protocols/SDL/AccessoryBus",
            swiftSettings: strict),
        .executableTarget(
            name: "conform-device",
            dependencies: [
                "AccessoryBus", "Bluetooth", "COpenSSL", "Diffusion", "ExternalAccessory", "HTTP",
                "SDL", "System", "Wire",
            ], path: "ReferenceDevices",
            swiftSettings: strict),
        .target(
            name: "Commands",
            dependencies: [
                "Capture", "Devices", "Judge", "Live", "Offline", "PeerKit", "Reporting", "Results",
                "SuiteLanguage", "System", "TCPIP", "Trace", "Wire", "YAML",
            ], path: "Sources/Core/Commands",
            swiftSettings: strict),
        .executableTarget(
            name: "conform", dependencies: ["BuiltInProtocols", "Commands", "PeerKit", "Wire"],
            path: "Sources/Core/conform",
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
                "BuiltInProtocols", "Capture", "Judge", "Offline", "Results", "SuiteLanguage",
                "System", "TCPIP", "TestSupport", "TestTraffic", "Trace", "Wire",
            ],
            path: "Tests/TestBench", swiftSettings: strict),
        .testTarget(
            name: "CaptureTests",
            dependencies: ["CZlib", "CZstd", "Capture", "System", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "ProtocolsTests",
            dependencies: [
                "Bluetooth", "BuiltInProtocols", "CZlib", "Diffusion", "ExternalAccessory", "HTTP",
                "Kaitai", "SDL", "TCPIP", "TLS", "TestSupport", "Wire", "YAML",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TraceTests",
            dependencies: [
                "Bluetooth", "BuiltInProtocols", "Capture", "ExternalAccessory", "HTTP", "SDL",
                "TCPIP", "TestSupport", "TestTraffic", "Trace", "Wire",
            ],
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
                "BuiltInProtocols", "Judge", "PeerKit", "Results", "SuiteLanguage", "TCPIP",
                "TestSupport", "Trace", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "OfflineTests",
            dependencies: [
                "BuiltInProtocols", "Capture", "ExternalAccessory", "Judge", "Offline", "Results",
                "SDL", "SuiteLanguage", "TCPIP", "TestBench", "TestSupport", "TestTraffic", "Trace",
                "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "PeersTests",
            dependencies: [
                "Bluetooth", "BluetoothPeers", "BuiltInProtocols", "Diffusion", "DiffusionPeers",
                "ExternalAccessory", "HTTP", "PeerKit", "SDL", "SDLPeers", "ScriptedPeers",
                "SuiteLanguage", "TCPIP", "TLS", "TestSupport", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "DevicesTests",
            dependencies: [
                "BuiltInProtocols", "Devices", "HTTP", "SuiteLanguage", "System", "TestSupport",
                "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "LiveTests",
            dependencies: [
                "BuiltInProtocols", "CSandbox", "Capture", "Devices", "Judge", "Live", "Offline",
                "PeerKit", "Results", "SuiteLanguage", "System", "TCPIP", "TestBench",
                "TestSupport", "TestTraffic", "Trace", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "BuiltInProtocols", "Capture", "Commands", "Judge", "Live", "Reporting", "Results",
                "SuiteLanguage", "System", "TestSupport", "Trace", "Wire",
            ],
            exclude: ["Golden", "Schemas"], swiftSettings: tests),
        .testTarget(
            name: "ReferenceDeviceTests",
            dependencies: [
                "AccessoryBus", "BluetoothPeers", "BuiltInProtocols", "Diffusion",
                "ExternalAccessory", "HTTP", "SDL", "System", "TestSupport", "Wire",
                "conform-device",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CorpusTests",
            dependencies: [
                "BuiltInProtocols", "Capture", "Judge", "Offline", "Reporting", "Results", "SDL",
                "SuiteLanguage", "TCPIP", "TestSupport", "TestTraffic", "Trace", "Wire",
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
                "Bluetooth", "BuiltInProtocols", "CSandbox", "Capture", "Devices",
                "ExternalAccessory", "HTTP", "Kaitai", "Offline", "Reporting", "Results",
                "SuiteLanguage", "TCPIP", "TLS", "Trace", "Wire", "YAML",
            ],
            path: "Tests/Fuzzing/conform-fuzz", swiftSettings: strict)
    ]
}
