import Glibc

/// Returns the text of an error number, by default that of the last system call.
package func errnoText(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

/// Arrays of C strings that end with a null pointer.
package enum CStrings {
    /// Calls `body` with the strings as a C array.
    package static func withArray<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map(body)
        } ?? body(&pointers)
    }
}
