"""Finds the class of an app that an advertisement matches."""

from bumble.core import UUID, AdvertisingData

# Types of data: lists of services, service data, solicited services; the size of a UUID in each.
LISTS = {AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS: 2, AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS: 2,
         AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS: 16, AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS: 16}
INCOMPLETE = {AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS}
SERVICE_DATA, SOLICITATION = {0x16: 2, 0x21: 16}, {0x14: 2, 0x15: 16}


def services(data, habits, form=None):
    """The services that an advertisement lists; with `form` only those in UUIDs of that many bytes."""
    kinds = {kind: size for kind, size in LISTS.items() if form in (None, size)}
    for kind, size in LISTS.items():
        if (kind in INCOMPLETE and habits.on("missesIncomplete")) or size == habits.get("missesUUIDsOf"):
            kinds.pop(kind, None)
    kinds |= SERVICE_DATA if habits.on("takesServiceData") else {}
    kinds |= SOLICITATION if habits.on("takesSolicitation") else {}
    found = []
    for kind, value in data.ad_structures:
        size = kinds.get(kind)
        if size:
            last = size if habits.on("firstUUIDOnly") or kind in SERVICE_DATA else len(value)
            found += [UUID.from_bytes(value[at:at + size]) for at in range(0, last - size + 1, size)]
    return found


def class_of(data, classes, habits):
    """The registered class of a device, or None."""
    offered = services(data, habits)
    if habits.on("takesAll") and classes:
        return classes[0]
    if habits.on("takesNamed") and data.get(AdvertisingData.COMPLETE_LOCAL_NAME) and classes:
        return classes[0]
    if habits.on("takesAnyService") and offered and classes:
        return classes[0]
    for kind in classes:
        for uuid in kind.get("serviceUUIDsInADV", []):
            found = services(data, habits, 2 if len(uuid) == 4 else 16) if habits.on("uuidAsText") else offered
            if UUID(uuid) not in found:
                continue
            return classes[habits.get("classIndex")] if habits.get("classIndex") is not None else kind
    return None
