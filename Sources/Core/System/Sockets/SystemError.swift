import Glibc

/// A failed system call, with its name and the system's error text.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the call.
    package let call: String
    /// The error number.
    package let code: Int32

    /// Creates the error of a call that has just failed.
    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// The error in the form `call: text`.
    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
