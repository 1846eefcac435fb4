import Judge
import Results

/// The devices of a proof, the unmutated one first, and the order of the cases that run on them.
struct ProofSchedule {
    /// One case on one device.
    struct Place {
        let owner: Int
        let index: Int
    }

    /// The devices.
    private(set) var devices: [ProvedDevice]
    /// Whether each mutant is run on all cases.
    let isThorough: Bool
    /// Whether the unmutated device is run only on cases that are also run on a mutant.
    let isPart: Bool

    /// Plans what is run first: the unmutated device, then the cases of the mutants in turn.
    mutating func firstPlaces() -> [Place] {
        var turns: [Int: [Place]] = [:]
        for owner in devices.indices.dropFirst() {
            let cases = devices[owner].cases
            for (turn, index) in isThorough ? cases.all.map({ (0, $0) }) : cases.first
            where devices[owner].plan(index) {
                turns[turn, default: []].append(Place(owner: owner, index: index))
            }
        }
        let mutated = turns.sorted { $0.key < $1.key }.flatMap(\.value)
        return unmutated(beside: mutated) + mutated
    }

    /// Plans the other cases of the mutants that have survived.
    mutating func furtherPlaces() -> [Place] {
        var places: [Place] = []
        for owner in devices.indices where devices[owner].isOpen {
            for index in devices[owner].cases.others where devices[owner].plan(index) {
                places.append(Place(owner: owner, index: index))
            }
        }
        return unmutated(beside: places) + places
    }

    private mutating func unmutated(beside places: [Place]) -> [Place] {
        let wanted = Set(places.map { devices[$0.owner].references[$0.index] })
        return devices[0].references.indices.filter { index in
            (!isPart || wanted.contains(devices[0].references[index])) && devices[0].plan(index)
        }.map { Place(owner: 0, index: $0) }
    }

    /// Whether it still matters how a case ends.
    func selects(_ place: Place) -> Bool {
        isThorough || devices[place.owner].selects(place.index)
    }

    /// Records the last result of a case; `nil` if the case was left out.
    mutating func consume(_ result: CaseResult?, of place: Place) {
        devices[place.owner].consume(result, of: place.index)
    }

    /// Ends the runs of all devices.
    mutating func end(seconds: Double, interruption: Interruption?) {
        for index in devices.indices {
            devices[index].end(seconds: seconds, interruption: interruption)
        }
    }
}
