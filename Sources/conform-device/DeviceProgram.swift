import Glibc
import ReferenceDevice

/// The program: carries out a command line and says what came of it.
struct DeviceProgram {
    let arguments: [String]

    /// Runs to the end and returns the exit code.
    func run() -> Int32 {
        do throws(UsageError) {
            switch try DeviceCommand(arguments: arguments) {
            case .sdlApp(let options): return runApp(options)
            case .mutants: write(DeviceCommand.mutantsDocument.jsonText(pretty: true))
            case .help: write(DeviceCommand.usage)
            case .version: write(DeviceCommand.versionText)
            }
            return 0
        } catch {
            return fail(error.description)
        }
    }

    private func runApp(_ options: DeviceCommand.AppOptions) -> Int32 {
        do throws(ConfigurationError) {
            let configuration =
                try options.configuration.map(LifecycleConfiguration.init(file:))
                ?? LifecycleConfiguration()
            let lifecycle = SDLAppLifecycle(
                configuration: configuration, mutant: options.mutant,
                headUnitAddress: options.address.text)
            AppLoop.prepareProcess()
            var loop = AppLoop(
                lifecycle, address: options.address, archives: .inHome,
                hangAfter: options.hangAfter)
            return loop.run()
        } catch {
            return fail(error.description)
        }
    }

    private func write(_ text: String) { LineOutput.write(text, to: STDOUT_FILENO) }

    private func fail(_ message: String) -> Int32 {
        LineOutput.write("conform-device: error: \(message)", to: STDERR_FILENO)
        return 2
    }
}
