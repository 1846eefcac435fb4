"""The names in a ChangeRegistration: what mistakes of the second round do to them."""


def altered(params, habits, app_name):
    """The parameters as a mistake alters them; the same without one."""
    params = _voice(dict(params), habits, app_name)
    if "ttsName" in params and habits.on("ttsTextOnly"):
        params["ttsName"] = [chunk for chunk in params["ttsName"] if chunk.get("type") == "TEXT"]
    if "ttsName" in params and habits.on("ttsDistinct"):
        params["ttsName"] = [chunk for at, chunk in enumerate(params["ttsName"]) if chunk not in params["ttsName"][:at]]
    if params.get("ngnMediaScreenAppName") == params.get("appName") and habits.on("shortEqualOmitted"):
        params.pop("ngnMediaScreenAppName", None)
    for name, value in params.items():
        if isinstance(value, str) and name in ("appName", "ngnMediaScreenAppName"):
            params[name] = _text(name, value, habits)
    return {name: value for name, value in params.items() if value != [] or not habits.on("ttsTextOnly")}


def _text(name, value, habits):
    if name == "appName" and habits.get("nameBytes"):
        value = value.encode()[:habits.get("nameBytes")].decode(errors="ignore")
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
    names = names[:habits.get("voiceAtMost")]
    return {**params, "vrSynonyms": names} if names else {key: value for key, value in params.items() if key != "vrSynonyms"}
