import Glibc

/// The text of an error number, by default of the last system call's.
package func errnoText(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

/// Arrays of C strings that end with a null pointer.
package enum CStrings {
    /// Lends `strings` as a C array for the time of `body`.
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
