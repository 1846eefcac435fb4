// swift-tools-version: 6.2

import PackageDescription

/// Settings of every Swift target: a warning is an error, and existential types are spelt out.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Settings of the targets whose own types borrow bytes (`~Escapable`).
let borrowing: [SwiftSetting] = strict + [.enableExperimentalFeature("Lifetimes")]

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

        // The house, bottom up. An arrow that is not here does not exist.
        .target(name: "Files", swiftSettings: strict),
        .target(
            name: "Capture", dependencies: ["CPcap", "CPrefetch", "CZlib", "CZstd", "Files"],
            swiftSettings: borrowing),
        .target(
            name: "Protocols", dependencies: ["CBSON", "CSHA256", "CSimdJSON", "CZlib"],
            swiftSettings: borrowing),
        .target(name: "Bluetooth", dependencies: ["Protocols"], swiftSettings: borrowing),
        .target(
            name: "Trace", dependencies: ["Bluetooth", "Capture", "Protocols"],
            swiftSettings: borrowing),
        .target(
            name: "YAML", dependencies: ["CYAML", "Files", "Protocols"], swiftSettings: strict),
        .target(
            name: "Kaitai", dependencies: ["CZlib", "Protocols", "YAML"], swiftSettings: strict),
        .target(
            name: "Suites", dependencies: ["CPCRE2", "Kaitai", "Protocols", "YAML"],
            swiftSettings: strict),
        .target(
            name: "Verdicts", dependencies: ["Trace", "Suites", "Protocols"], swiftSettings: strict),
        .target(
            name: "BluetoothPeers", dependencies: ["Protocols"], swiftSettings: strict),
        .target(
            name: "Peers", dependencies: ["BluetoothPeers", "CZlib", "Protocols", "Suites"],
            swiftSettings: strict),
        .target(
            name: "Devices",
            dependencies: ["CSandbox", "Files", "Suites", "Protocols", "Sockets"],
            swiftSettings: strict),
        .target(
            name: "Runner",
            dependencies: [
                "Capture", "CSandbox", "Devices", "Files", "Peers", "Protocols", "Suites", "Trace",
                "Verdicts",
            ],
            swiftSettings: strict),
        .target(
            name: "Reports",
            dependencies: ["Files", "Runner", "Verdicts", "Trace", "Suites", "Protocols"],
            swiftSettings: strict),
        .target(name: "Sockets", swiftSettings: strict),
        .target(
            name: "AccessoryBus", dependencies: ["Protocols", "Sockets"], swiftSettings: strict),
        .target(
            name: "ReferenceDevice",
            dependencies: ["AccessoryBus", "Bluetooth", "Protocols", "Sockets"],
            swiftSettings: strict),
        .executableTarget(
            name: "conform",
            dependencies: [
                "Capture", "CSandbox", "Devices", "Files", "Protocols", "Reports", "Runner",
                "Suites", "Trace", "Verdicts",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "conform-device", dependencies: ["ReferenceDevice", "Protocols"],
            swiftSettings: strict),

        // Tests mirror the sources.
        .target(
            name: "TestTraffic", dependencies: ["Trace", "Bluetooth", "Protocols"],
            path: "Tests/TestTraffic",
            swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CaptureTests",
            dependencies: ["Capture", "Files", "CZlib", "CZstd", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ProtocolsTests", dependencies: ["Protocols", "CZlib", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BluetoothTests", dependencies: ["Bluetooth", "Protocols", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TraceTests",
            dependencies: [
                "Trace", "Bluetooth", "Capture", "Protocols", "TestSupport", "TestTraffic",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "KaitaiTests", dependencies: ["Kaitai", "YAML", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SuitesTests", dependencies: ["Suites", "Protocols", "TestSupport"],
            exclude: ["Broken"],
            swiftSettings: strict),
        .testTarget(
            name: "VerdictsTests",
            dependencies: ["Verdicts", "Trace", "Suites", "Protocols", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BluetoothPeersTests", dependencies: ["BluetoothPeers", "Protocols"],
            swiftSettings: strict),
        .testTarget(
            name: "PeersTests", dependencies: ["Peers", "Protocols", "Suites", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DevicesTests",
            dependencies: ["Devices", "Files", "Suites", "Protocols", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "RunnerTests",
            dependencies: [
                "Runner", "CSandbox", "Files", "Verdicts", "Trace", "Suites", "Protocols",
                "Capture", "TestSupport", "TestTraffic",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Reports", "Runner", "Verdicts", "Trace", "Suites", "Protocols", "Capture",
                "TestSupport",
            ],
            exclude: ["Golden", "Schemas"], swiftSettings: strict),
        .testTarget(
            name: "AccessoryBusTests", dependencies: ["AccessoryBus", "Protocols", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ReferenceDeviceTests",
            dependencies: [
                "ReferenceDevice", "AccessoryBus", "BluetoothPeers", "Protocols", "Sockets",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CorpusTests",
            dependencies: [
                "Reports", "Runner", "Verdicts", "Trace", "Suites", "Protocols", "Capture",
                "TestSupport", "TestTraffic",
            ],
            exclude: ["Corpus", "README.md"], swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests", dependencies: ["Protocols", "TestSupport"],
            exclude: ["Bench/board.py", "Suites"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// The fuzzer is a build of its own (Scripts/fuzz): every object is instrumented for it.
if Context.environment["CONFORM_FUZZ"] != nil {
    package.targets += [
        .executableTarget(
            name: "conform-fuzz",
            dependencies: [
                "Bluetooth", "CSandbox", "Capture", "Devices", "Protocols", "Reports", "Runner",
                "Suites",
                "Trace",
            ],
            path: "Tests/Fuzzing/conform-fuzz", swiftSettings: strict)
    ]
}
