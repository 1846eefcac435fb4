import Glibc
import ReferenceDevice

exit(DeviceProgram(arguments: Array(CommandLine.arguments.dropFirst())).run())
