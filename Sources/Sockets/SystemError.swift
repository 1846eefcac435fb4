import Glibc

/// A failed system call: its name and what the system says about it.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call.
    package let call: String
    /// The error number.
    package let code: Int32

    /// The error of a call that has just failed.
    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// `call: text`.
    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
