import Capture
import Testing

@Suite("Reading pcapng")
struct PcapngReaderTests {
    @Test("Either byte order gives packets, comments and counters", arguments: [false, true])
    func bothByteOrdersAreRead(isBigEndian: Bool) throws {
        let statistics = pcapngBlock(5, isBigEndian: isBigEndian) { block in
            block.add(UInt32(0))
            block.add(UInt64(0))
            for (code, count) in [(4, 100), (5, 7), (7, 2)] as [(UInt16, UInt64)] {
                var number = ByteComposer(isBigEndian: isBigEndian)
                number.add(count)
                addOption(&block, code, number.bytes)
            }
        }
        let file =
            sectionHeader(isBigEndian: isBigEndian, comment: "case: one\nseed: 5")
            + interfaceBlock(isBigEndian: isBigEndian, linkType: 113, resolution: 9)
            + enhancedPacket(
                [1, 2, 3, 4, 5], ticks: 1_700_000_000_123_456_789, isBigEndian: isBigEndian,
                comments: ["first", "zwölf"])
            + statistics
        let reading = try Reading(file)
        #expect(reading.error == nil)
        #expect(
            reading.records == [
                Record([1, 2, 3, 4, 5], linkType: .linuxCooked, comments: ["first", "zwölf"])
            ])
        let metadata = try #require(reading.metadata)
        #expect(metadata.section.comments == ["case: one\nseed: 5"])
        #expect(metadata.interfaces.first?.name == "if0")
        #expect(metadata.interfaces.first?.received == 100)
        #expect(metadata.droppedPackets == 9)
    }

    @Test(
        "Timestamps of every resolution become nanoseconds",
        arguments: [
            (nil, nil, 1_700_000_000_123_456, 1_700_000_000_123_456_000),
            (0, nil, 1_700_000_000, 1_700_000_000_000_000_000),
            (3, nil, 1_700_000_000_123, 1_700_000_000_123_000_000),
            (9, 10, 5, 10_000_000_005),
            (9, -10, 5, -9_999_999_995),
            (12, nil, 1_234_567, 1_234),
            (0x80 | 10, nil, 1_024 + 512, 1_500_000_000),
            (127, nil, .max, 0),
            (0, nil, .max, .max),
        ] as [(UInt8?, Int64?, UInt64, Int64)])
    func resolutionsAreApplied(
        resolution: UInt8?, offset: Int64?, ticks: UInt64, nanoseconds: Int64
    ) throws {
        let file =
            sectionHeader() + interfaceBlock(resolution: resolution, offsetSeconds: offset)
            + enhancedPacket([1], ticks: ticks)
        #expect(try Reading(file).records.map(\.timestamp) == [nanoseconds])
    }

    @Test("A simple packet is cut at the snapshot length and has the timestamp of the one before")
    func simplePacketsAreRead() throws {
        let simple = pcapngBlock(3) { block in
            block.add(UInt32(6))
            block.bytes += [1, 2, 3, 4]
        }
        let file =
            sectionHeader() + interfaceBlock(snapshotLength: 4, resolution: 9)
            + enhancedPacket([9], ticks: 77) + simple
        let reading = try Reading(file)
        #expect(reading.records.last == Record([1, 2, 3, 4], timestamp: 77, originalLength: 6))
    }

    @Test("Custom blocks, journal entries and packets share the frame numbers, as in Wireshark")
    func numbersOfOtherBlocks() throws {
        let numbered = [0xBAD, 0x4000_0BAD, 9].map { pcapngBlock($0) { $0.bytes = [1, 2, 3, 4] } }
        let resolution = pcapngBlock(4) { $0.bytes = [0, 0, 0, 0] }
        let packets =
            numbered[0] + enhancedPacket([1], ticks: 1) + resolution + numbered[1] + numbered[2]
            + enhancedPacket([2], ticks: 2)
        let file = try TemporaryFile(sectionHeader() + interfaceBlock(resolution: 9) + packets)
        var capture = try CaptureFile(path: file.path)
        var numbers: [Int] = []
        try capture.forEach { numbers.append($0.index) }
        #expect(numbers == [2, 5])
        let series = try CaptureSeries(paths: [file.path, file.path])
        numbers = []
        try series.forEach { numbers.append($0.index) }
        #expect(numbers.count == 4 && numbers.last == 10)
        withExtendedLifetime(file) {}
    }

    @Test("A simple packet has no time; before all others it gets the time of the first one")
    func simplePacketsAreUntimed() throws {
        let simple = pcapngBlock(3) { block in
            block.add(UInt32(4))
            block.bytes += [1, 2, 3, 4]
        }
        let file = try TemporaryFile(
            sectionHeader() + interfaceBlock(resolution: 9) + simple
                + enhancedPacket([9], ticks: 77) + simple)
        var capture = try CaptureFile(path: file.path)
        var times: [Int64] = []
        var isTimed: [Bool] = []
        try capture.forEach {
            times.append($0.timestamp)
            isTimed.append($0.isTimed)
        }
        #expect(times == [77, 77, 77])
        #expect(isTimed == [false, true, false])
        withExtendedLifetime(file) {}
    }

    @Test("The obsolete packet block is read")
    func obsoletePacketsAreRead() throws {
        let old = pcapngBlock(2) { block in
            block.add(UInt16(0))
            block.add(UInt16(3))
            block.add(UInt32(0))
            block.add(UInt32(5))
            block.add(UInt32(2))
            block.add(UInt32(2))
            block.bytes += [8, 9]
        }
        let reading = try Reading(sectionHeader() + interfaceBlock(resolution: 9) + old)
        #expect(reading.records == [Record([8, 9], timestamp: 5)])
        #expect(reading.metadata?.droppedPackets == 3)
        // The number may be unknown.
        var unknown = old
        unknown.replaceSubrange(10..<12, with: [0xFF, 0xFF])
        let other = try Reading(sectionHeader() + interfaceBlock(resolution: 9) + unknown)
        #expect(other.metadata?.droppedPackets == nil)
    }

    @Test("The flags of a packet give its direction", arguments: [false, true])
    func directions(isBigEndian: Bool) throws {
        let packets = [UInt32(0), 1, 2, 5].flatMap { flags in
            enhancedPacket([1], ticks: 1, isBigEndian: isBigEndian, flags: flags)
        }
        let file = try TemporaryFile(
            sectionHeader(isBigEndian: isBigEndian) + interfaceBlock(isBigEndian: isBigEndian)
                + packets)
        var capture = try CaptureFile(path: file.path)
        var directions: [Packet.Direction?] = []
        try capture.forEach { directions.append($0.direction) }
        #expect(directions == [nil, .received, .sent, .received])
        withExtendedLifetime(file) {}
    }

    @Test("Unknown blocks are skipped, also those beyond the packet limit's buffer")
    func unknownBlocksAreSkipped() throws {
        let unknown = pcapngBlock(0x0BAE) { $0.bytes = Array(repeating: 1, count: 300_000) }
        let file =
            sectionHeader() + unknown + interfaceBlock(resolution: 9) + unknown
            + enhancedPacket([1], ticks: 1) + unknown
        let reading = try Reading(file)
        #expect(reading.error == nil)
        #expect(reading.records.count == 1)
    }

    @Test("A second section has its own byte order and interfaces, and frame numbers continue")
    func sectionsFollowEachOther() throws {
        let file =
            sectionHeader(comment: "one") + interfaceBlock(resolution: 9)
            + enhancedPacket([1], ticks: 1)
            + sectionHeader(isBigEndian: true, comment: "two")
            + interfaceBlock(isBigEndian: true, linkType: 101, resolution: 9)
            + enhancedPacket([2], ticks: 2, isBigEndian: true)
        let reading = try Reading(file)
        #expect(
            reading.records == [
                Record([1], timestamp: 1),
                Record([2], timestamp: 2, linkType: .raw, interface: 1),
            ])
        #expect(reading.metadata?.section.comments == ["one", "two"])
        #expect(reading.metadata?.interfaces.count == 2)
    }

    @Test("Drop counts of packets are summed if there are no statistics")
    func dropCountsOnPacketsAddUp() throws {
        let file =
            sectionHeader() + interfaceBlock(resolution: 9)
            + enhancedPacket([1], ticks: 1, dropped: 2)
            + enhancedPacket([1], ticks: 1, dropped: 3)
        #expect(try Reading(file).metadata?.droppedPackets == 5)
        let silent = sectionHeader() + interfaceBlock() + enhancedPacket([1], ticks: 1)
        #expect(try Reading(silent).metadata?.droppedPackets == nil)
    }

    @Test("Damage is reported with the block's offset and the packet's number")
    func damageIsLocated() throws {
        let front =
            sectionHeader() + interfaceBlock(resolution: 9) + enhancedPacket([1], ticks: 1)
        var lengthBehind = enhancedPacket([1, 2], ticks: 2)
        lengthBehind[lengthBehind.count - 4] ^= 4
        var lengthInFront = enhancedPacket([1, 2], ticks: 2)
        lengthInFront[4] = 9
        let unknownInterface = enhancedPacket([1], ticks: 2, interface: 1)
        var packetTooLong = enhancedPacket([1], ticks: 2)
        packetTooLong[20] = 200
        var optionTooLong = enhancedPacket([1], ticks: 2, comments: ["abc"])
        optionTooLong[34] = 200
        for damage in [
            lengthBehind, lengthInFront, unknownInterface, packetTooLong, optionTooLong,
        ] {
            let reading = try Reading(front + damage)
            #expect(reading.records.count == 1)
            #expect(reading.error?.code == .damaged)
            #expect(reading.error?.offset == front.count)
            #expect(reading.error?.packetIndex == 2)
        }
    }
}
