import Results
import Suites
import Verdicts
import Wire

extension TestCase {
    /// Why the case cannot be judged on packets, if it speaks of messages that these do not show.
    ///
    /// - Parameter dissected: The names of the messages that another program dissects.
    package func reasonAgainstPackets(dissected: Set<String> = []) -> Reason? {
        guard let name = unseenMessage(dissected: dissected) else { return nil }
        guard name.hasPrefix(DissectorEvent.prefix) else {
            return Reason(
                .notApplicable,
                "\(name) is a message of a log: conform check SUITE LOG --log-format FILE")
        }
        let dissector = name.dropFirst(DissectorEvent.prefix.count)
        return Reason(
            .notApplicable,
            "\(name) is what tshark dissects of a capture: "
                + "conform check SUITE CAPTURE --dissect \(dissector)=tshark")
    }
}
