"""The names in a ChangeRegistration: what mistakes of the second and third round do to them."""

import unicodedata


def altered(params, habits, app_name):
    """The parameters as a mistake alters them; the same without one."""
    params = _voice(dict(params), habits, app_name)
    if "ttsName" in params:
        params["ttsName"] = params["ttsName"][:habits.get("ttsAtMost")]
    if "ttsName" in params and habits.on("ttsTextOnly"):
        params["ttsName"] = [chunk for chunk in params["ttsName"] if chunk.get("type") == "TEXT"]
    if "ttsName" in params and habits.on("ttsDistinct"):
        params["ttsName"] = [chunk for at, chunk in enumerate(params["ttsName"]) if chunk not in params["ttsName"][:at]]
    if params.get("ngnMediaScreenAppName") == params.get("appName") and habits.on("shortEqualOmitted"):
        params.pop("ngnMediaScreenAppName", None)
    if [chunk.get("text") for chunk in params.get("ttsName", [])] == [app_name] and habits.on("ttsEqualOmitted"):
        params.pop("ttsName")
    for name, value in params.items():
        if isinstance(value, str) and name in ("appName", "ngnMediaScreenAppName"):
            params[name] = _text(name, value, habits)
    params = _letters(params, habits)
    return {name: value for name, value in params.items() if value != [] or not habits.on("ttsTextOnly")}


def _letters(value, habits):
    """All texts of a value with other letters, which is a mistake."""
    if isinstance(value, dict):
        return {key: _letters(inner, habits) for key, inner in value.items()}
    if isinstance(value, list):
        return [_letters(inner, habits) for inner in value]
    if isinstance(value, str) and habits.on("namesComposed"):
        value = unicodedata.normalize("NFC", value)
    if isinstance(value, str) and habits.on("dropsAstral"):
        value = "".join(letter for letter in value if ord(letter) < 0x10000)
    return value


def _text(name, value, habits):
    if name == "appName" and habits.get("nameBytes"):
        value = value.encode()[:habits.get("nameBytes")].decode(errors="ignore")
    if len(value) > habits.get("nameMax", 1e9):
        value = value[:habits.get("nameMax")] + "..."
    if name == "ngnMediaScreenAppName":
        value = value[:habits.get("shortNameLength")]
    if habits.on("digitsAreNumbers") and value.isascii() and value.isdigit():
        return int(value)
    return value.strip() if habits.on("trimsNames") else value


def _voice(params, habits, app_name):
    names = params.get("vrSynonyms")
    if names is None:
        return params
    if habits.on("voiceASCII"):
        names = [name for name in names if name.isascii()]
    if habits.on("voiceDistinctCaseless"):
        names = list({name.lower(): name for name in reversed(names)}.values())[::-1]
    if habits.on("voiceWithoutAppName"):
        names = [name for name in names if name != app_name]
    names = [name[:habits.get("voiceLength")] for name in names[:habits.get("voiceAtMost")]]
    return {**params, "vrSynonyms": names} if names else {key: value for key, value in params.items() if key != "vrSynonyms"}
