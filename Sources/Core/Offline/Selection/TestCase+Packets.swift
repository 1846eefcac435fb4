import Judge
import Results
import SuiteLanguage
import Wire

extension TestCase {
    /// Returns a reason if the case needs messages that packets do not show.
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
            "\(name) is a message that tshark dissects in a capture: "
                + "conform check SUITE CAPTURE --dissect \(dissector)=tshark")
    }
}
