import Results
import SuiteLanguage

/// The remark of reports about a run whose device ran faster than specified.
enum TimeScaleText {
    /// Returns a clause that every report shows; `nil` for a run at scale 1.
    static func line(_ header: RunHeader) -> String? {
        header.timeScale?.unlessReal.map { scale in
            "time scale \(scale): the device ran \(scale) times faster and all times were divided "
                + "by \(scale); a run for certification is made at scale 1"
        }
    }

    /// Returns the same remark for a case that `conform explain` describes.
    static func explanation(_ scale: TimeScale) -> String? {
        scale.unlessReal.map { scale in
            "At time scale \(scale) the device runs \(scale) times faster: the times below are "
                + "those of the suite divided by \(scale). Relative tolerances scale with them; "
                + "absolute tolerances stay unchanged, because they allow for delays of the "
                + "machine, not of the device. Values that are given to peers are in the device's time."
        }
    }
}
