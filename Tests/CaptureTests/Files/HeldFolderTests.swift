import Glibc
import Synchronization
import System
import TestSupport
import Testing

/// A folder to attack, and one in which nothing may ever appear.
private struct Ground {
    let temporary = TemporaryFolder()
    let reports: HeldFolder
    var path: String { temporary.path + "/reports" }
    var victim: String { temporary.path + "/victim" }

    init() throws {
        reports = try HeldFolder(making: temporary.path + "/reports")
        mkdir(temporary.path + "/victim", 0o777)
    }

    /// Puts a link to the victim in the place of a folder.
    func plant(_ folder: String) {
        rename("\(path)/\(folder)", "\(path)/\(folder).moved")
        symlink(victim, "\(path)/\(folder)")
    }

    var victimNames: [String] { (try? HeldFolder(victim).names) ?? ["?"] }
}

@Suite("A folder held by its descriptor")
struct HeldFolderTests {
    @Test(
        "A path that names a folder is not a file",
        arguments: ["reports/", "", ".", "..", "a/.."])
    func folderName(end: String) throws {
        let ground = try Ground()
        let error = #expect(throws: FileError.self) {
            try HeldFile("\(ground.temporary.path)/\(end)")
        }
        #expect(error?.code == EISDIR)
        #expect(error?.path == "\(ground.temporary.path)/\(end)")
    }

    @Test("Files are written, replaced, appended to, renamed and removed in it")
    func plain() throws {
        let ground = try Ground()
        let place = try ground.reports.place("captures/attempts/one", making: true)
        try place.replace(with: [1, 2])
        try place.replace(with: [3])
        try place.append([4])
        #expect(place.contents == [3, 4])
        #expect(place.path == ground.path + "/captures/attempts/one")
        let other = try ground.reports.place("captures/two")
        try place.rename(to: other)
        #expect(!place.isThere && other.contents == [3, 4])
        try ground.reports.place("captures").remove()
        #expect(ground.reports.names.isEmpty)
    }

    @Test(
        "A link on the way to a file is an error that names it, and nothing is written through it",
        arguments: ["captures", "captures/attempts"])
    func planted(_ folder: String) throws {
        let ground = try Ground()
        let inside = "captures/attempts/one.pcapng"
        let held = try ground.reports.place(inside, making: true)
        try held.replace(with: [1])
        ground.plant(folder)
        do throws(FileError) {
            try ground.reports.place(inside, making: true).replace(with: [2])
            Issue.record("a link was followed")
        } catch {
            #expect(error.code == ELOOP && error.path.hasSuffix(folder), "\(error)")
            #expect("\(error)".contains("symbolic link"))
        }
        // A file that is already held stays where it is.
        try held.replace(with: [3])
        #expect(held.contents == [3])
        #expect(ground.victimNames.isEmpty)
    }

    @Test("The held folder itself may be moved and replaced by a link")
    func replacedWhole() throws {
        let ground = try Ground()
        rename(ground.path, ground.path + ".moved")
        symlink(ground.victim, ground.path)
        try ground.reports.place("journal", making: true).append([1])
        try ground.reports.place("logs/a", making: true).replace(with: [1])
        #expect(ground.victimNames.isEmpty)
        #expect(try Set(HeldFolder(ground.path + ".moved").names) == ["journal", "logs"])
    }

    @Test("A link in the place of a file is replaced or an error, never followed")
    func plantedFile() throws {
        let ground = try Ground()
        let secret = try HeldFile(ground.victim + "/secret")
        try secret.replace(with: [7])
        for name in ["results", "results.new", "journal", "capture"] {
            symlink(secret.path, "\(ground.path)/\(name)")
        }
        try ground.reports.place("results").replace(with: [1])
        #expect(throws: FileError.self) { try ground.reports.place("journal").append([1]) }
        close(try ground.reports.place("capture").create())
        #expect(ground.reports.names.sorted() == ["capture", "journal", "results"])
        let link = try ground.reports.place("journal")
        #expect(link.contents == nil && link.input == nil)
        #expect(secret.contents == [7])
    }

    @Test("A process that keeps swapping folders and links redirects no write")
    func race() throws {
        let ground = try Ground()
        let isOver = Flag()
        let path = ground.path
        let victim = ground.victim
        try ground.reports.place("captures/attempts/one", making: true).replace(with: [0])
        let planter = try Planter(until: { isOver.value.load(ordering: .relaxed) }) {
            for folder in ["captures", "captures/attempts"] {
                let (real, moved) = ("\(path)/\(folder)", "\(path)/\(folder).moved")
                rename(real, moved)
                symlink(victim, real)
                unlink(real)
                rename(moved, real)
            }
            usleep(50)
        }
        var written = 0
        for number in 0..<4_000 {
            let bytes = [UInt8(truncatingIfNeeded: number)]
            let result = Result { () throws(FileError) in
                let place = try ground.reports.place("captures/attempts/one")
                try place.replace(with: bytes)
                try ground.reports.place("captures/attempts/two").append(bytes)
                place.remove()
            }
            if (try? result.get()) != nil { written += 1 }
        }
        isOver.value.store(true, ordering: .relaxed)
        planter.join()
        #expect(written > 0)
        #expect(ground.victimNames.isEmpty)
    }

    @Test("Removing follows no link and reaches the end of deep folders")
    func removal() throws {
        let ground = try Ground()
        let secret = try HeldFile(ground.victim + "/secret")
        try secret.replace(with: [7])
        symlink(ground.victim, "\(ground.path)/link")
        try ground.reports.place("link").remove()
        #expect(secret.contents == [7])
        var deepest = try ground.reports.place("deep").makeFolder()
        symlink(ground.victim, "\(ground.path)/deep/link")
        for number in 0..<1_500 {
            deepest = try deepest.place("in-\(number % 3)").makeFolder()
            if number % 100 == 0 { try deepest.place("file").replace(with: [1]) }
        }
        try ground.reports.place("deep").remove()
        #expect(ground.reports.names.isEmpty)
        #expect(secret.contents == [7])
    }

    @Test("Paths that lead out of the folder are refused")
    func outside() throws {
        let ground = try Ground()
        for path in ["", "/", "..", "../victim/a", "a/../../victim/a", "./a"] {
            #expect(throws: FileError.self, "\(path)") {
                try ground.reports.place(path, making: true)
            }
        }
    }
}

/// A thread that repeats an action until it is over.
private final class Planter {
    private final class Work: Sendable {
        let isOver: @Sendable () -> Bool
        let round: @Sendable () -> Void

        init(isOver: @escaping @Sendable () -> Bool, round: @escaping @Sendable () -> Void) {
            self.isOver = isOver
            self.round = round
        }
    }

    private var thread = pthread_t()

    init(
        until isOver: @escaping @Sendable () -> Bool, round: @escaping @Sendable () -> Void
    ) throws {
        let work = Unmanaged.passRetained(Work(isOver: isOver, round: round))
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                while !work.isOver() { work.round() }
                return nil
            }, work.toOpaque())
        try #require(code == 0)
    }

    func join() { pthread_join(thread, nil) }
}

private final class Flag: Sendable {
    let value = Atomic(false)
}
