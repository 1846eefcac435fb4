import Glibc

exit(DeviceProgram(arguments: Array(CommandLine.arguments.dropFirst())).run())
