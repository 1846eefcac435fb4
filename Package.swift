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
        _ name: String, carriedBy carriers: [String] = [], shims: [String] = []
    ) -> Target {
        .target(
            name: name,
            dependencies: (shims + carriers + ["Wire"]).map { .init(stringLiteral: $0) },
            path: "Sources/Protocols/\(name)", swiftSettings: borrowing)
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
        .systemLibrary(name: "CPrefetch"),
        .target(name: "CPcap", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CBSON", pkgConfig: "libbson-1.0", providers: [.apt(["libbson-dev"])]),
        .systemLibrary(
            name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CSandbox"),
        .target(name: "CSHA256"),

        // The modules, bottom up. A dependency that is not listed here is not allowed.
        .target(name: "Files", swiftSettings: strict),
        .target(name: "Processes", dependencies: ["CSandbox"], swiftSettings: strict),
        .target(
            name: "Capture", dependencies: ["CPcap", "CPrefetch", "CZlib", "CZstd", "Files"],
            swiftSettings: borrowing),
        .target(
            name: "Wire", dependencies: ["CBSON", "CSHA256", "CSimdJSON"],
            swiftSettings: borrowing),
        .protocolTarget("TCPIP"),
        .protocolTarget("SDL"),
        .protocolTarget("HTTP", shims: ["CZlib"]),
        .protocolTarget("WebSocket", carriedBy: ["HTTP"]),
        .protocolTarget("Diffusion", carriedBy: ["HTTP", "WebSocket"]),
        .protocolTarget("ExternalAccessory"),
        .protocolTarget("IAP2", carriedBy: ["ExternalAccessory"]),
        .protocolTarget("Bluetooth"),
        .target(
            name: "Trace",
            dependencies: ["Bluetooth", "Capture", "TCPIP", "Wire"], swiftSettings: borrowing),
        .target(
            name: "YAML", dependencies: ["CYAML", "Files", "Wire"], swiftSettings: strict),
        .target(
            name: "Kaitai", dependencies: ["CZlib", "Wire", "YAML"], swiftSettings: strict),
        .target(
            name: "Suites",
            dependencies: ["CPCRE2", "HTTP", "Kaitai", "TCPIP", "Wire", "YAML"],
            swiftSettings: strict),
        .target(
            name: "Results", dependencies: ["Files", "Suites", "Wire"], swiftSettings: strict),
        .target(
            name: "Verdicts",
            dependencies: ["Results", "Suites", "TCPIP", "Trace", "Wire"], swiftSettings: strict),
        .target(
            name: "Offline",
            dependencies: [
                "Capture", "Files", "HTTP", "Processes", "Results", "Suites", "TCPIP", "Trace",
                "Verdicts", "Wire",
            ],
            swiftSettings: strict),
        // What plays the counterparts, and the kinds of each protocol beside it.
        .target(
            name: "Peers", dependencies: ["Suites", "TCPIP", "Wire"], swiftSettings: strict),
        .target(
            name: "ScriptedPeers",
            dependencies: ["HTTP", "Peers", "Suites", "TCPIP", "WebSocket", "Wire"],
            swiftSettings: strict),
        .target(
            name: "SDLPeers",
            dependencies: [
                "CZlib", "ExternalAccessory", "Peers", "SDL", "Suites", "TCPIP", "Wire",
            ],
            swiftSettings: strict),
        .target(
            name: "AccessoryPeers",
            dependencies: [
                "ExternalAccessory", "IAP2", "Peers", "SDL", "SDLPeers", "Suites", "TCPIP", "Wire",
            ],
            swiftSettings: strict),
        .target(
            name: "DiffusionPeers",
            dependencies: ["Diffusion", "HTTP", "Peers", "Suites", "TCPIP", "WebSocket", "Wire"],
            swiftSettings: strict),
        .target(
            name: "BluetoothPeers",
            dependencies: [
                "ExternalAccessory", "IAP2", "Peers", "ScriptedPeers", "Suites", "TCPIP", "Wire",
            ],
            swiftSettings: strict),
        .target(
            name: "ProgramPeers",
            dependencies: [
                "HTTP", "Peers", "SDL", "SDLPeers", "ScriptedPeers", "Suites", "TCPIP", "WebSocket",
                "Wire",
            ],
            swiftSettings: strict),
        .target(
            name: "BuiltInProtocols",
            dependencies: [
                "AccessoryPeers", "Bluetooth", "BluetoothPeers", "Diffusion", "DiffusionPeers",
                "ExternalAccessory", "HTTP", "IAP2", "Peers", "ProgramPeers", "SDL", "SDLPeers",
                "ScriptedPeers", "TCPIP", "WebSocket", "Wire",
            ],
            swiftSettings: strict),
        .target(
            name: "Devices",
            dependencies: [
                "CSandbox", "Files", "HTTP", "Processes", "Sockets", "Suites", "TCPIP", "Wire",
            ],
            swiftSettings: strict),
        .target(
            name: "Live",
            dependencies: [
                "CSandbox", "Capture", "Devices", "Files", "Offline", "Peers", "Processes",
                "Results", "Suites", "TCPIP", "Trace", "Verdicts", "Wire",
            ],
            swiftSettings: strict),
        .target(
            name: "Reports", dependencies: ["Files", "Results", "Suites", "Wire"],
            swiftSettings: strict),
        .target(
            name: "Listings", dependencies: ["Reports", "Suites", "Trace", "Wire"],
            swiftSettings: strict),
        .target(name: "Sockets", swiftSettings: strict),
        .target(
            name: "AccessoryBus", dependencies: ["ExternalAccessory", "Sockets", "Wire"],
            swiftSettings: strict),
        .target(
            name: "ReferenceDevice",
            dependencies: [
                "AccessoryBus", "Bluetooth", "Diffusion", "ExternalAccessory", "HTTP", "IAP2",
                "SDL", "Sockets", "WebSocket", "Wire",
            ],
            swiftSettings: strict),
        .target(
            name: "Commands",
            dependencies: [
                "Capture", "Devices", "Files", "Listings", "Live", "Offline", "Peers", "Processes",
                "Reports", "Results", "Suites", "TCPIP", "Trace", "Verdicts", "Wire", "YAML",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "conform", dependencies: ["BuiltInProtocols", "Commands", "Peers", "Wire"],
            swiftSettings: strict),
        .executableTarget(
            name: "conform-device", dependencies: ["ReferenceDevice"],
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
                "BuiltInProtocols", "Capture", "Files", "Offline", "Results", "Suites", "TCPIP",
                "TestSupport", "TestTraffic", "Trace", "Verdicts", "Wire",
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
                "SDL", "TCPIP", "TestSupport", "WebSocket", "Wire",
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
            name: "SuitesTests",
            dependencies: ["BuiltInProtocols", "HTTP", "Suites", "TCPIP", "TestSupport", "Wire"],
            exclude: ["Broken"],
            swiftSettings: tests),
        .testTarget(
            name: "VerdictsTests",
            dependencies: [
                "BuiltInProtocols", "Peers", "Results", "Suites", "TCPIP", "TestSupport", "Trace",
                "Verdicts", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "OfflineTests",
            dependencies: [
                "BuiltInProtocols", "Capture", "ExternalAccessory", "Offline", "Results", "SDL",
                "Suites", "TCPIP", "TestBench", "TestSupport", "TestTraffic", "Trace", "Verdicts",
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
                "DiffusionPeers", "ExternalAccessory", "HTTP", "IAP2", "Peers", "ProgramPeers",
                "SDL", "SDLPeers", "ScriptedPeers", "Suites", "TCPIP", "TestSupport", "WebSocket",
                "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "DevicesTests",
            dependencies: [
                "BuiltInProtocols", "Devices", "Files", "HTTP", "Suites", "TestSupport", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "LiveTests",
            dependencies: [
                "BuiltInProtocols", "CSandbox", "Capture", "Devices", "Files", "Live", "Offline",
                "Peers", "Processes", "Results", "Suites", "TCPIP", "TestBench", "TestSupport",
                "Trace", "Verdicts", "Wire",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "BuiltInProtocols", "Capture", "Files", "Listings", "Live", "Reports", "Results",
                "Suites", "TestSupport", "Trace", "Verdicts", "Wire",
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
                "BuiltInProtocols", "Capture", "Offline", "Reports", "Results", "SDL", "Suites",
                "TCPIP", "TestSupport", "TestTraffic", "Trace", "Verdicts", "Wire",
            ],
            exclude: ["Corpus", "README.md"], swiftSettings: tests),

        // A made-up protocol with its peer, and `conform` with both (Documentation/add-a-protocol.md).
        .target(
            name: "EchoProtocol", dependencies: ["Wire"], path: "Tests/Echo/EchoProtocol",
            swiftSettings: borrowing),
        .target(
            name: "EchoPeer", dependencies: ["EchoProtocol", "Peers", "Suites", "TCPIP", "Wire"],
            path: "Tests/Echo/EchoPeer", swiftSettings: strict),
        .executableTarget(
            name: "conform-echo",
            dependencies: [
                "BuiltInProtocols", "Commands", "EchoPeer", "EchoProtocol", "Peers", "Wire",
            ],
            path: "Tests/Echo/conform-echo", swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["Devices", "EchoProtocol", "TestSupport", "Wire"],
            exclude: [
                "Bench/board.py", "Bench/capture.py", "Bench/kubelet.py", "Bench/slurm-cluster",
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
                "IAP2", "Kaitai", "Offline", "Reports", "Results", "Suites", "TCPIP", "Trace",
                "Wire", "YAML",
            ],
            path: "Tests/Fuzzing/conform-fuzz", swiftSettings: strict)
    ]
}
