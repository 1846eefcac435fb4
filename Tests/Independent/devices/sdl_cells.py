"""Items of the managers: comparison, images, and the requests that set them."""

import hashlib
import unicodedata
import zlib

TEXT_KEYS = {"textField1": "mainField1", "textField2": "mainField2", "textField3": "mainField3",
             "textField4": "mainField4", "mediaTrackTextField": "mediaTrack"}
TYPE_KEYS = {f"textField{n}Type": f"mainField{n}" for n in (1, 2, 3, 4)}
GRAPHIC_KEYS = {"primaryGraphic": "graphic", "secondaryGraphic": "secondaryGraphic"}
SHOW_KEYS = [*TEXT_KEYS, *GRAPHIC_KEYS, "textAlignment", *TYPE_KEYS, "softButtonObjects"]
LIST_KEYS = ["menu", "voiceCommands", "preloadedChoices"]
IMAGE_KEYS = ["icon", "image", "artwork", "secondaryImage", "secondaryArtwork", "graphic"]
SUB_KEYS = ["subCells", "cells", "subMenu", "submenu", "items"]
FILE_TYPES = {"png": "GRAPHIC_PNG", "jpg": "GRAPHIC_JPEG", "jpeg": "GRAPHIC_JPEG", "bmp": "GRAPHIC_BMP"}


def first_of(item, keys):
    """The value of the first of some keys that an item has."""
    return next((item[key] for key in keys if item.get(key) is not None), None)


def as_item(value, key="text"):
    """An item as a dict; items may be given as text only."""
    return {key: value} if isinstance(value, str) else value


def title(item):
    """The displayed text of a cell."""
    return first_of(item, ["title", "text", "name", "menuName"]) or ""


def voice(item):
    """The voice commands of a cell or of a voice command."""
    if isinstance(item, (str, list)):
        return [item] if isinstance(item, str) else item
    found = first_of(item, ["voiceCommands", "vrCommands", "voice", "commands"])
    return [found] if isinstance(found, str) else list(found or [])


def sub_cells(item):
    """The cells of a submenu, None for a command."""
    return first_of(item, SUB_KEYS)


def image_of(item):
    """The first image of a cell."""
    return first_of(item, ["icon", "image", "artwork", "graphic"])


def second_image_of(item):
    """The second image of a choice cell."""
    return first_of(item, ["secondaryImage", "secondaryArtwork"])


def image_name(image):
    """An image's file name, or its static value."""
    if isinstance(image, str):
        return image
    return image.get("name") or image.get("static") or "" if image else ""


def image_struct(image):
    """The Image structure of an RPC."""
    if isinstance(image, dict) and image.get("static") is not None:
        return {"value": image["static"], "imageType": "STATIC"}
    return {"value": image_name(image), "imageType": "DYNAMIC"}


def is_file(image):
    """Whether an image must be put as a file."""
    return bool(image) and not (isinstance(image, dict) and image.get("static") is not None)


def file_content(name, size):
    """Bytes in place of the image with a name."""
    block = hashlib.sha256(name.encode()).digest()
    return (block * (size // len(block) + 1))[:size]


def put_file(image):
    """Parameters and bytes of the PutFile of an image."""
    image = as_item(image, "name")
    name = image["name"]
    data = file_content(name, image.get("size", 600))
    params = {"syncFileName": name, "fileType": FILE_TYPES.get(name.rsplit(".", 1)[-1].lower(), "GRAPHIC_PNG"),
              "persistentFile": bool(image.get("persistent", True)), "systemFile": False, "crc": zlib.crc32(data)}
    return params, data


def plain(value, habits=None):
    """An item without its handlers, which are not compared; images are compared by name."""
    if isinstance(value, dict):
        return {key: image_name(inner) if key in IMAGE_KEYS else plain(inner, habits)
                for key, inner in value.items() if key != "handler" and inner is not None}
    if isinstance(value, list):
        return [plain(inner, habits) for inner in value]
    return value


def compared(key, value, habits):
    """The part of a manager's value that decides whether it equals the stored one."""
    value = plain(value)
    if key in GRAPHIC_KEYS and value:
        name = image_name(value) if not isinstance(value, str) else value
        return name.lower() if habits.on("graphicsCaseless") else name
    if habits.on("comparesCaseless") and isinstance(value, str):
        return value.lower()
    if habits.on("comparesTrimmed") and isinstance(value, str):
        return value.strip()
    if isinstance(value, str) and key in TEXT_KEYS and habits.on("comparesNumbers"):
        try:
            return float(value)
        except ValueError:
            return value
    if isinstance(value, str) and key in TEXT_KEYS:
        value = unicodedata.normalize("NFKC", value) if habits.on("comparesNormalized") else value
        return value[:habits.get("comparesAtMost")]
    if key == "softButtonObjects" and habits.on("buttonsByName"):
        return [as_item(item, "name").get("name") for item in value or []]
    if key == "softButtonObjects" and value:
        return _compared_buttons(value, habits)
    return value


def _compared_buttons(items, habits):
    """The compared part of soft buttons."""
    if habits.on("buttonsIgnoreState"):
        items = [{key: inner for key, inner in as_item(item, "name").items() if "tate" not in key or key == "states"} for item in items]
    if habits.on("buttonsIgnoreImages"):
        items = [_without_images(item) for item in items]
    if habits.on("buttonsIgnoreOrder"):
        items = sorted(items, key=str)
    if habits.on("buttonsByFirst"):
        items = items[:1]
    return items


def _without_images(value):
    """An item and its contents, without images."""
    if isinstance(value, dict):
        return {key: _without_images(inner) for key, inner in value.items() if key not in IMAGE_KEYS}
    return [_without_images(inner) for inner in value] if isinstance(value, list) else value


def choice_key(cell, habits):
    """Whether choice cells are equal: text, image names and voice commands."""
    cell = as_item(cell)
    key = [title(cell)] if habits.on("choicesByFirstText") else [title(cell), cell.get("secondaryText"), cell.get("tertiaryText")]
    if not habits.on("choicesIgnoreImages"):
        key += [image_name(image_of(cell)), "" if habits.on("choicesByFirstImage") else image_name(second_image_of(cell))]
    if habits.on("choicesCompareFiles"):
        key.append(str(image_of(cell)))
    if not habits.on("choicesIgnoreVoice"):
        key.append("|".join(voice(cell)[:1] if habits.on("voiceByFirst") else voice(cell)))
    return letters(str(key), "preloadedChoices", habits)


def letters(key, kind, habits):
    """A key as it is, or in lower case."""
    return key.lower() if kind in habits.get("caseless", []) else key


def menu_key(cell, habits):
    """Whether menu cells are equal as a whole, except for the handlers."""
    cell = as_item(cell)
    if habits.on("menuByTitle"):
        return title(cell)
    if habits.on("menuIgnoresVoice"):
        cell = {key: value for key, value in cell.items() if key not in ("voiceCommands", "vrCommands", "voice")}
    if habits.on("menuIgnoresIcons"):
        cell = {key: value for key, value in cell.items() if key not in IMAGE_KEYS}
    if habits.on("menuIgnoresSubCells"):
        cell = {key: value for key, value in cell.items() if key not in SUB_KEYS}
    return letters(str(sorted(plain(cell).items(), key=lambda pair: pair[0])), "menu", habits)


def soft_button(item, number):
    """The SoftButton structure of a soft button object in its current state."""
    item = as_item(item, "name")
    states = item.get("states") or [item]
    wanted = first_of(item, ["state", "currentState", "initialState", "initialStateName"])
    state = next((as_item(s, "name") for s in states if wanted and as_item(s, "name").get("name") == wanted), as_item(states[0]))
    text = state.get("text")
    image = image_of(state)
    if text is None and image is None:
        text = item.get("text") or title(state)
    kind = "BOTH" if text and image else "IMAGE" if image else "TEXT"
    button = {"type": kind, "softButtonID": number, "systemAction": "DEFAULT_ACTION", "isHighlighted": False}
    if text:
        button["text"] = text
    if image:
        button["image"] = image_struct(image)
    return button, image


def value_at(data, path):
    """The value at a path like menu[0].title, as the developer inspects it."""
    value = data
    for part in str(path).replace("[", ".").replace("]", "").split("."):
        if isinstance(value, list):
            value = value[int(part)] if part.isdigit() and int(part) < len(value) else None
            value = value.get("cell", value) if isinstance(value, dict) else value
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value
