import Glibc

/// Feeds one input of libFuzzer, which provides `main`, to a target.
///
/// The variable `CONFORM_FUZZ_TARGET` names the target (see Scripts/fuzz).
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let name = getenv("CONFORM_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        print("CONFORM_FUZZ_TARGET must be one of: \(names)")
        exit(2)
    }
    target.feed(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
