import Capture
import Results
import SuiteLanguage

/// Captures that are judged one by one, of which several may show the same time.
///
/// A rule on what all devices do together says nothing about one of such captures: the others show
/// what else was done.
package struct ConcurrentCaptures {
    private var times: [(paths: [String], first: Int64, last: Int64)] = []
    /// The longest period in which a rule counts what all devices do; `nil` without such a rule.
    private let period: Duration?
    private let rule: String

    /// Reads the times of captures, if rules depend on them.
    ///
    /// - Parameters:
    ///   - captures: The captures, each of one file or of several that are read as one.
    ///   - rules: The rules that are judged.
    init(_ captures: [[String]], rules: [Rule]) {
        let joint = rules.filter { $0.scope == .trace && $0.isOfSeveralDevices }
        let longest = joint.compactMap { rule in
            rule.testCase.never.compactMap(\.rate?.within).max().map { (rule.id, $0) }
        }.max { $0.1 < $1.1 }
        (rule, period) = (longest?.0 ?? "", longest?.1)
        guard period != nil, captures.count > 1 else { return }
        for paths in captures where !paths.contains(where: CaptureFile.isStream) {
            var (first, last) = (Int64.max, Int64.min)
            // A capture that cannot be read is reported where it is judged.
            try? CaptureSeries(paths: paths).forEach { packet in
                guard packet.isTimed else { return }
                first = min(first, packet.timestamp)
                last = max(last, packet.timestamp)
            }
            if first <= last { times.append((paths, first, last)) }
        }
    }

    /// Returns why a rule on all devices is not judged by one of the captures; `nil` if it is.
    func reason(on paths: [String]) -> String? {
        guard let period, let own = times.first(where: { $0.paths == paths }) else { return nil }
        let reach = period.wholeNanoseconds
        let other = times.first {
            $0.paths != paths && $0.first <= own.last.addingReportingOverflow(reach).partialValue
                && own.first <= $0.last.addingReportingOverflow(reach).partialValue
        }
        return other.map {
            "\($0.paths.joined(separator: "+")) covers the same period, and \(rule) is about all "
                + "devices together: --join judges both as one"
        }
    }
}
