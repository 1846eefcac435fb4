import Glibc
import SuiteLanguage

extension DeviceProfile {
    /// How the device can be made to run faster than real time.
    public enum TimeScaling: String, Sendable, Hashable, CaseIterable {
        /// Not at all.
        case none
        /// It divides its waits by the number in `CONFORM_TIME_SCALE`.
        case env
        /// The library libfaketime makes its clocks run faster and its waits shorter.
        case faketime
    }

    /// The variable with the factor for a device.
    static let timeScaleVariable = "CONFORM_TIME_SCALE"

    /// Returns whether a case can be run on the device at a time scale.
    public func canRun(at scale: TimeScale) -> Bool {
        guard !scale.isReal else { return true }
        guard case .launch = access else { return false }
        return timeScaling != .none
    }

    /// Returns the device at a time scale, with the variables that make it run that much faster.
    ///
    /// - Throws: `DeviceError` with code `timeScale` if its clock cannot be scaled, or if
    ///   libfaketime is needed and not installed.
    public func running(at scale: TimeScale) throws(DeviceError) -> DeviceProfile {
        guard !scale.isReal else { return self }
        guard canRun(at: scale) else {
            throw DeviceError(
                .timeScale, "the clock of \(name) cannot be scaled",
                advice: "run it at time scale 1, or say under \"timeScale\" in its profile how")
        }
        var result = self
        switch timeScaling {
        case .none: break
        case .env:
            result.environment[Self.timeScaleVariable] = scale.description
        case .faketime:
            let own = environment["LD_PRELOAD"].map { ":" + $0 } ?? ""
            result.environment["LD_PRELOAD"] = try FaketimeLibrary.path() + own
            result.environment["FAKETIME"] = "+0 x\(scale)"
        }
        return result
    }
}

/// The location of the library libfaketime.
enum FaketimeLibrary {
    /// Patterns (glob(7)) of the places where distributions install it; the first match is used.
    static let places = [
        "/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib64/faketime/libfaketimeMT.so.1",
        "/usr/lib/faketime/libfaketimeMT.so.1", "/usr/local/lib/faketime/libfaketimeMT.so.1",
    ]

    /// Returns the path of the library.
    ///
    /// - Throws: `DeviceError` with code `timeScale` if it is not in any of the places.
    static func path(in places: [String] = places) throws(DeviceError) -> String {
        for place in places {
            var found = glob_t()
            defer { globfree(&found) }
            guard glob(place, 0, nil, &found) == 0, found.gl_pathc > 0,
                let first = found.gl_pathv[0]
            else { continue }
            return String(cString: first)
        }
        throw DeviceError(
            .timeScale, "libfaketime is not installed, by which the device's clock is scaled",
            advice: "install it (Debian: apt-get install faketime), or run at time scale 1")
    }
}
