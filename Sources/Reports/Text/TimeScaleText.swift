import Results
import Suites

/// What reports say of a run whose device ran faster than it is meant to.
enum TimeScaleText {
    /// A clause that every report shows; `nil` for a run at scale 1.
    static func line(_ header: RunHeader) -> String? {
        header.timeScale?.unlessReal.map { scale in
            "time scale \(scale): the device ran \(scale) times faster and all times were divided "
                + "by \(scale); a run that certifies is made at scale 1"
        }
    }

    /// The same of a case that `conform explain` tells about.
    static func explanation(_ scale: TimeScale) -> String? {
        scale.unlessReal.map { scale in
            "At time scale \(scale) the device runs \(scale) times faster: the times below are "
                + "those of the suite divided by \(scale). Percentages of tolerances go with them; "
                + "absolute tolerances stay, because they allow for the machine and not for the "
                + "device. Values that peers are given are in the device's time."
        }
    }
}
