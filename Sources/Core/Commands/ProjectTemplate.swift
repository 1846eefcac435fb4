import SuiteLanguage
import Wire

/// The initial files of a project.
struct ProjectTemplate {
    /// The contents of the files for one kind of device.
    struct Kind {
        let role: String
        /// What such a device does, as a phrase.
        let does: String
        let requirement: String
        let peer: String
        /// Steps of the first case, as lines of the suite.
        let steps: String
        /// The lines of the first case that configure the device.
        var given = ""
        /// The end of the profile.
        var profile = ""
        /// Whether there is a reference device, on which the suite passes.
        var hasReference = false
        /// Whether the peer connects to the device.
        var listens = false
        /// The peer whose address the device is given; `nil` for the device's own, or the only peer.
        var named: String?

        /// The placeholders of the command that starts the device.
        var placeholders: String {
            let party = named ?? (listens ? "device" : nil)
            let prefix = party.map { "\($0)." } ?? ""
            return "${\(prefix)host} and ${\(prefix)port}"
        }
    }

    /// The kinds of devices with template files; the last four are for a protocol of one's own.
    static let kinds = [
        Kind(
            role: "sdl.app", does: "an app that registers with an SDL head unit",
            requirement: "The app registers with the head unit within ten seconds.",
            peer: "hu: {is: sdl.head-unit, language: EN-US, hmiDisplayLanguage: EN-US}",
            steps: """
                      - expect: sdl.StartService
                      - expect: sdl.RegisterAppInterface.request
                        where: {params.appName: {length: {min: 1}}}
                """, hasReference: true),
        Kind(
            role: "sdl.head-unit", does: "an SDL head unit, to which apps connect",
            requirement: "The head unit registers an app within ten seconds.",
            peer: "phone: {is: sdl.app, transport: tcp}",
            steps: """
                      - do: phone.connect
                      - expect: sdl.StartServiceACK
                      - expect: sdl.RegisterAppInterface.response
                        where: {params.success: true}
                """, hasReference: true, listens: true),
        Kind(
            role: "session.client", does: "a client of Diffusion, and of no other protocol",
            requirement: "The client opens a session within ten seconds.",
            peer: """
                # A server of the Diffusion protocol; for a client of another protocol run
                  # conform init --role tcp.client
                  server: {is: session.server}
                """,
            steps: """
                      - expect: tcp.SYN
                      - expect: diffusion.connect
                """, hasReference: true),
        Kind(
            role: "profile.app", does: "an app with a Bluetooth stack that connects to peripherals",
            requirement: "The app's Bluetooth stack sets up its controller within ten seconds.",
            peer: """
                # The controller of the app (HCI over TCP), and what is within its range.
                  radio: {is: bluetooth.controller}
                  band:
                    is: gatt.peripheral
                    air: radio
                    address: "c4:11:11:11:11:11"
                    advertises: {uuids: ["180D"]}
                    services:
                      - uuid: "180D"
                        characteristics:
                          - {uuid: "2A37", properties: [notify]}
                  # Where the app reports what no packet shows, and accessories; only if it has them.
                  report: {is: app.reports}
                  bus: {is: iap.accessory}
                """,
            steps: """
                      - expect: bthci_cmd.Reset
                      # Next, if the app looks for peripherals by itself; conform fields le.scan:
                      # - expect: le.scan
                      # - expect: le.connected
                      #   from: radio
                """,
            profile: """
                # With these the cases of conform's own suites apply: conform docs bluetooth
                # features: [profile.gatt, profile.reports]
                # controls: {scan: stdin, activate: stdin, deactivate: stdin, send: stdin}

                """, hasReference: true, named: "radio"),
        Kind(
            role: "profile.peripheral", does: "a Bluetooth peripheral, to which apps connect",
            requirement: "The device advertises within ten seconds, and accepts a connection.",
            peer: """
                # The controller of the device (HCI over TCP), and a central that connects to it.
                  radio: {is: bluetooth.controller}
                  central: {is: gatt.central, air: radio, address: "c4:44:44:44:44:44", service: "180D"}
                """,
            steps: """
                      - expect: le.advertise
                      - do: central.connect
                      - expect: le.connected
                        from: radio
                """,
            given: """
                    given:
                      device: {advertises: ["180D"]}    # for the reference device, and for ${config}

                """, hasReference: true, named: "radio"),
        Kind(
            role: "tcp.client", does: "it connects by TCP (WebSocket, HTTP, a protocol of its own)",
            requirement: "The client says something within ten seconds of the connection.",
            peer: #"""
                # "stream" says where a message ends: conform docs "protocol of your own"
                  server: {is: tcp.server, port: 7000, stream: {until: "\n"}}
                """#,
            steps: """
                      - expect: stream.message
                        where: {data: {length: {min: 2}}}
                """,
            profile: "# Without it the end of the program during a case fails the case.\n"
                + "# exit: expected\n"),
        Kind(
            role: "tcp.server", does: "it is connected to by TCP, and answers",
            requirement: "The server answers within ten seconds.",
            peer: #"""
                # "stream" says where a message ends: conform docs "protocol of your own"
                  client: {is: tcp.client, port: 7000, stream: {until: "\n"}}
                """#,
            steps: #"""
                      - do: client.connect
                      - send: {text: "hello\n"}
                      - expect: stream.message
                        where: {data: {length: {min: 2}}}
                """#, listens: true),
        Kind(
            role: "udp.client", does: "it sends datagrams (UDP)",
            requirement: "The device sends a datagram within ten seconds.",
            peer: "host: {is: udp.server, port: 7000}",
            steps: """
                      - expect: udp.datagram
                        where: {length: {min: 1}}
                """,
            profile: "# Without it the end of the program during a case fails the case.\n"
                + "# exit: expected\n"),
        Kind(
            role: "udp.server", does: "it answers datagrams (UDP)",
            requirement: "The device answers a datagram within ten seconds.",
            peer: "host: {is: udp.client, port: 7000}",
            steps: """
                      - send: udp.datagram
                        with: {text: "hello"}
                      - expect: udp.datagram
                        where: {length: {min: 1}}
                """, listens: true),
    ]

    /// The kind of device.
    let kind: Kind
    /// The words of the command that starts it; empty for the reference device.
    let launch: [String]
    /// The CI engine, or `none`.
    let engine: String
    /// Whether the folder has a pipeline of GitLab, which is not replaced.
    let hasPipeline: Bool

    /// The files by their paths in the project.
    var files: [(path: String, text: String)] {
        [
            (ProjectFile.name, project), ("suites/first.yaml", suite),
            ("suites/requirements/first.yaml", catalogue),
        ] + (launch.isEmpty ? [] : [("device.yaml", profile)]) + job
    }

    private var project: String {
        """
        # Defaults for command lines of conform; paths are relative to this file.
        # All keys: conform schema project
        conform: 1
        suites: suites
        \(launch.isEmpty ? "# Your device, once there is a profile of it; until then the reference device runs.\n# device: device.yaml" : "device: device.yaml")
        reports: Reports

        """
    }

    private var profile: String {
        """
        # How conform starts your device: conform docs "device profile"
        conform: 1
        name: My device
        role: \(kind.role)
        launch: \(Value.array(launch.map(Value.string)).jsonText())
        \(kind.profile)
        """
    }

    private var catalogue: String {
        """
        # What the device must do, numbered; suites refer to the numbers.
        conform-requirements: 1
        document: Requirements of my device
        requirements:
          MY-1:
            text: \(kind.requirement)
            ours: a first requirement, to begin with
            ways:
              nothing is sent: "first/begins"

        """
    }

    private var suite: String {
        """
        # conform lint checks this file, conform explain says in sentences what it demands,
        # conform fields lists what "where" can name.
        conform: 1
        suite: first
        title: First checks
        requirements: [requirements/first.yaml]
        device: {role: \(kind.role)}
        peers:
          \(kind.peer)
        defaults: {within: 10s, unexpected: allow, quiet: 1s}
        cases:
          - id: begins
            title: The device begins to speak
            checks: [MY-1]
        \(kind.given)    steps:
        \(kind.steps)

        """
    }
}
