import Glibc

/// The program: carries out a command line and prints the result.
struct DeviceProgram {
    let arguments: [String]

    /// Runs to the end and returns the exit code.
    func run() -> Int32 {
        do {
            switch try DeviceCommand(arguments: arguments) {
            case .sdlApp(let options): return try run(options)
            case .sessionClient(let options): return try run(options)
            case .headUnit(let options): return try run(options)
            case .profileApp(let options): return try run(options)
            case .profilePeripheral(let options): return try run(options)
            case .mutants(let kind):
                write(DeviceCommand.mutantsDocument(kind).jsonText(pretty: true))
            case .help: write(DeviceCommand.usage)
            case .version: write(DeviceCommand.versionText)
            }
            return 0
        } catch {
            LineOutput.write("conform-device: error: \(error)", to: STDERR_FILENO)
            return 2
        }
    }

    private func run(_ app: SDLAppOptions) throws -> Int32 {
        let options = app.client
        var configuration = try LifecycleConfiguration(file: options.configuration)
        configuration.transport = app.transport ?? configuration.transport
        var lifecycle = SDLAppLifecycle(
            configuration: configuration, mutant: options.mutant,
            headUnitAddress: options.address.text)
        lifecycle.habits = app.habits
        let scale = try ClockRate.ofEnvironment()
        let carrier = try CarrierKind.ofEnvironment()
        EndSignals.interruptWaitsOnly()
        var loop = AppLoop(
            lifecycle, address: options.address, archives: .inHome, carrier: carrier,
            scale: scale,
            hangAfter: options.hangAfter)
        return loop.run()
    }

    private func run(_ options: ClientOptions<SessionClientMutant>) throws -> Int32 {
        let client = SessionClient(
            configuration: try SessionConfiguration(file: options.configuration),
            mutant: options.mutant, host: options.address.authority,
            seed: try DeviceSeed.ofEnvironment())
        let scale = try ClockRate.ofEnvironment()
        EndSignals.interruptWaitsOnly()
        var loop = DeviceLoop(client, scale: scale, hangAfter: options.hangAfter) { _ in
            options.address
        }
        if let trust = try SessionTrust.ofEnvironment(mutant: options.mutant) {
            loop.protect(trust.next)
        }
        return loop.run()
    }

    private func run(_ options: ClientOptions<HeadUnitMutant>) throws -> Int32 {
        let headUnit = SDLHeadUnit(
            configuration: try HeadUnitConfiguration(file: options.configuration),
            mutant: options.mutant, kept: ArchiveFolder.inHome?.kept)
        EndSignals.interruptWaitsOnly()
        do throws(ListenError) {
            var loop = DeviceLoop(
                headUnit, archives: .inHome, hangAfter: options.hangAfter)
            try loop.listen(on: options.address)
            return loop.run()
        } catch {
            LineOutput.write("conform-device: error: \(error)", to: STDERR_FILENO)
            return 1
        }
    }

    private func run(_ app: ProfileAppOptions) throws -> Int32 {
        let options = app.client
        let scale = try ClockRate.ofEnvironment()
        let configuration = try ProfileConfiguration(file: options.configuration)
        EndSignals.interruptWaitsOnly()
        let device = ProfileApp(
            configuration: configuration, mutant: options.mutant, habits: app.habits)
        var loop = DeviceLoop(device, scale: scale, hangAfter: options.hangAfter) { link in
            switch link {
            case .controller: options.address
            case .reports: app.reports
            case .accessories: app.accessories
            }
        }
        return loop.run()
    }

    private func run(_ options: ClientOptions<PeripheralMutant>) throws -> Int32 {
        let configuration = try PeripheralConfiguration(file: options.configuration)
        EndSignals.interruptWaitsOnly()
        let device = ProfilePeripheral(configuration: configuration, mutant: options.mutant)
        var loop = DeviceLoop(device, hangAfter: options.hangAfter) { _ in options.address }
        return loop.run()
    }

    private func write(_ text: String) { LineOutput.write(text, to: STDOUT_FILENO) }
}
