"""Registration and change of registration: the parameters and the decision (SDL-0054)."""

import json
import os

from common import log
from sdl_names import altered


def tts(value):
    """TTS chunks of a text, of texts or of chunks."""
    if value is None:
        return None
    items = value if isinstance(value, list) else [value]
    return [item if isinstance(item, dict) else {"text": item, "type": "TEXT"} for item in items]


def texts(value):
    """A list of texts."""
    return [value] if isinstance(value, str) else value


LATE_LANGUAGES = "EN-IN TH-TH EN-SA HE-IL RO-RO UK-UA ID-ID VI-VN MS-MY HI-IN".split()
NAMES = ["appName", "shortAppName", "ttsName", "voiceRecognitionCommandNames"]


def names_as_parameters(values):
    """The four names as parameters of RPCs, without null ones."""
    params = {"appName": values.get("appName"), "ngnMediaScreenAppName": values.get("shortAppName"),
              "ttsName": tts(values.get("ttsName")), "vrSynonyms": texts(values.get("voiceRecognitionCommandNames"))}
    return {key: value for key, value in params.items() if value is not None}


class Registration:
    """The lifecycle configuration of one app; it lives as long as the process."""

    def __init__(self, config, habits):
        self.habits, self.config = habits, config
        self.language = config.get("language", "EN-US")
        self.used = []
        self.file = os.path.join(os.environ.get("HOME", "."), "language")
        if habits.on("languageOnDisk") and os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as file:
                self.language = file.read()
        self.default = self.language
        self.names = {key: config.get(key) for key in NAMES}
        self.names["appName"] = self.names["appName"] or "Independent"
        self.compared = self.registered = 0
        self.refusal, self.cached = False, None
        self.last_unit_language = None
        self.asked, self.units = set(), []
        self.before_change, self.last_update, self.stopped, self.unit_languages = None, None, False, {}
        self.refused_change = self.was_reset = False
        self.names_before, self.names_at_start = None, dict(self.names)

    def parameters(self, hash_id):
        """The parameters of RegisterAppInterface."""
        self.registered += 1
        third = self.habits.on("thirdForgets") and self.registered > 2
        language = self.default if self.habits.on("registersWithDefault") or third else self.language
        names = {key: self.config.get(key) or self.names.get(key) for key in NAMES} if self.habits.on("forgetsNames") else self.names
        params = {"syncMsgVersion": {"majorVersion": self.habits.get("rpcMajor", 7), "minorVersion": 0, "patchVersion": 0},
                  "isMediaApplication": self.habits.on("media"), "languageDesired": language,
                  "hmiDisplayLanguageDesired": language, "appID": self.config.get("appID", "independent-1")}
        params |= names_as_parameters(names)
        if self.habits.on("fullIdentity"):
            params |= {"fullAppID": params["appID"], "appHMIType": ["DEFAULT"], "deviceInfo": {"os": "Linux", "osVersion": "6"},
                       "appInfo": {"appDisplayName": params["appName"], "appBundleID": "independent", "appVersion": "1"}}
        params |= self.habits.get("registrationMore", {})
        if self.registered > 1 and self.habits.get("laterWithout"):
            params.pop(self.habits.get("laterWithout"))
        if hash_id is not None or self.habits.on("hashNull"):
            params["hashID"] = hash_id
        return params

    def update_for(self, unit_language):
        """The delegate's update for a language; None if there is no delegate or no update."""
        delegate = (self.config.get("delegate") or {}).get("willUpdateLifecycle")
        if not isinstance(delegate, dict):
            return {} if self.habits.on("withoutDelegate") else None
        log(f"delegate: willUpdateLifecycleToLanguage {unit_language}")
        asked = self.default if self.habits.on("asksForDefault") else unit_language
        update = delegate.get(asked)
        if self.habits.on("remembersNothing"):
            self.refusal = self.refusal or update is None
            update = None if self.refusal else update
        if self.habits.on("cachesUpdate"):
            self.cached = update = self.cached or update
        if self.habits.on("nilUsesCached"):
            update = self.last_update = update or self.last_update
        if self.habits.on("emptyIsNothing") and not any((update or {}).values()):
            return None
        if update is None and self.habits.on("nilResetsNames"):
            self.names = dict(self.names_at_start)
        if update is None and self.habits.on("nilSends"):
            return {}
        if update is None and self.habits.on("nilChangesLanguage"):
            self.language = unit_language
        return update

    def supports(self, language):
        """Whether the app has names for a language."""
        supported = self.config.get("languagesSupported") or []
        if self.habits.on("supportsAll") or (self.habits.on("emptySupportsAll") and not supported):
            return True
        if self.habits.on("ownMustBeSupported") and self.default not in supported:
            return False
        if self.habits.on("lateLanguagesUnknown") and language in LATE_LANGUAGES:
            return False
        if self.habits.on("usedUnsupported") and language in self.used:
            return False
        supported = supported[:self.habits.get("supportsAtMost")]
        if self.habits.on("supportsByPrefix") or (self.habits.on("supportGrows") and self.language != self.default):
            return language[:2] in [item[:2] for item in supported]
        if self.habits.on("supportsFirstOnly"):
            supported = supported[:1]
        if self.habits.on("supportsAllButLast"):
            supported = supported[:-1]
        if self.habits.on("supportsAllButFirst"):
            supported = supported[1:]
        return language in supported

    def _matches(self, language, answer):
        own = self.default if self.habits.on("comparesDefault") else self.language
        if self.habits.on("comparesPrefix"):
            return own[:2] == language[:2]
        if self.habits.on("comparesCountry"):
            return own[-2:] == language[-2:]
        if self.habits.on("byResultCode"):
            return answer.get("resultCode") != "WRONG_LANGUAGE"
        if self.habits.on("comparesLastUnit") and self.last_unit_language:
            return self.last_unit_language == language
        if self.habits.on("comparesDesiredDisplay"):
            return own == answer.get("hmiDisplayLanguage", own)
        return own == language

    def _assumed(self):
        """The language of a head unit that gives none: none, unless a mistake assumes one."""
        if self.habits.on("absentLanguageCrashes"):
            raise SystemExit(3)
        assumed = self.habits.get("absentLanguage")
        return self.last_unit_language if assumed == "last" else assumed

    def _overlooks(self, answer, unit):
        """Whether a mistake prevents the comparison at a head unit."""
        known = unit in self.units
        self.units.append(unit)
        if (answer.get("info") and self.habits.on("infoSkipsComparison")) or (self.was_reset and self.habits.on("resetSkipsComparison")):
            return True
        return (known and self.habits.on("comparesEachUnitOnce") or (not unit and self.habits.on("comparesNamedOnly"))
                or answer.get("resultCode") not in self.habits.get("comparesResults", [answer.get("resultCode")]))

    def change(self, answer, unit=None):
        """The ChangeRegistration that follows a registration response of a head unit, or None."""
        language = answer.get("language") or (self._assumed() if answer.get("success") else None)
        self.compared += 1
        if self.habits.on("absentLanguageStops"):
            self.stopped = self.stopped or (bool(answer.get("success")) and not language)
            language = None if self.stopped else language
        if language and unit and self.habits.on("rememberedUnitLanguage"):
            language = self.unit_languages.setdefault(json.dumps(unit, sort_keys=True), language)
        if answer.get("success") and self._overlooks(answer, unit):
            return None
        if not answer.get("success") and not self.habits.on("afterRefusal"):
            return None
        if not language or self.habits.on("neverChanges") or self.compared > self.habits.get("comparisons", 1e9):
            return None
        matches = self._matches(language, answer)
        self.last_unit_language = language
        always = self.habits.on("changesAlways") or (self.habits.on("changesAlwaysLater") and self.compared > 1)
        always = always or (self.refused_change and self.habits.on("refusalChangesAlways"))
        if matches and not always:
            return None
        if not self.supports(language) and self.habits.on("unsupportedResetsLanguage"):
            self.language = self.default
        if not self.supports(language) and not (matches and always):
            return None
        if self.habits.on("asksEachOnce") and language in self.asked:
            return None
        self.asked.add(language)
        update = self.update_for(language)
        if update is None:
            return None
        before = self.names_before = dict(self.names)
        self.before_change = self.language
        self._take_over(update, language)
        return self._change_parameters(language, update, before)

    def _take_over(self, update, language):
        if self.habits.on("startsFromOriginal"):
            self.names |= {key: self.config.get(key) for key in NAMES if key != "appName" or self.config.get(key)}
        for key in NAMES:
            if update.get(key) is not None or self.habits.on("nullErases"):
                self.names[key] = update.get(key)
                if key == "voiceRecognitionCommandNames" and self.habits.on("addsVoice"):
                    self.names[key] = (texts(self.config.get(key)) or []) + (texts(update[key]) or [])
                if self.habits.on("firstNameOnly"):
                    break
        if self.habits.on("nullErases"):
            self.names["appName"] = self.names["appName"] or self.config.get("appName") or "Independent"
        if self.habits.on("languageNeedsAppName") and update.get("appName") is None:
            return
        self.used.append(self.language)
        if not self.habits.on("keepsFirstChange") or self.language == self.default:
            self.language = language
        if self.habits.on("languageOnDisk"):
            with open(self.file, "w", encoding="utf-8") as file:
                file.write(self.language)

    def _change_parameters(self, language, update, before):
        source = self.names if self.habits.on("changeCarriesAll") else update
        if self.habits.on("sendsOldNames"):
            source = before
        params = names_as_parameters(source)
        if self.habits.on("swapsNames") and params.get("ngnMediaScreenAppName"):
            params["appName"], params["ngnMediaScreenAppName"] = params["ngnMediaScreenAppName"], params.get("appName", "")
        if self.habits.on("firstItemOnly"):
            params |= {key: params[key][:1] for key in ("ttsName", "vrSynonyms") if key in params}
        if self.habits.on("emptiesUnset"):
            params = {"ttsName": [], "vrSynonyms": []} | params
        if self.habits.on("ttsIsText") and "ttsName" in params:
            params["ttsName"] = [{**chunk, "type": "TEXT"} for chunk in params["ttsName"]]
        if self.habits.on("addsVoice") and "vrSynonyms" in params:
            params["vrSynonyms"] = texts(self.names["voiceRecognitionCommandNames"])
        if self.habits.on("firstNameOnly"):
            params = dict([*params.items()][:1])
        if self.habits.on("plainLetters"):
            params = json.loads(json.dumps(params, ensure_ascii=False).encode("ascii", "replace"))
        if self.habits.on("ttsIsAppName") and "ttsName" in params:
            params["ttsName"] = tts(self.names["appName"])
        if self.habits.on("joinsTTS") and params.get("ttsName"):
            params["ttsName"] = [{**params["ttsName"][0], "text": " ".join(chunk["text"] for chunk in params["ttsName"])}]
        if self.habits.on("voiceHasAppName") and "vrSynonyms" in params:
            params["vrSynonyms"] = list(dict.fromkeys([self.names["appName"], *params["vrSynonyms"]]))
        if "appName" in params:
            made = {"ngnMediaScreenAppName": params["appName"], "ttsName": tts(params["appName"]), "vrSynonyms": [params["appName"]]}
            params = {key: made[key] for key in self.habits.get("makesOfAppName", [])} | params
        for name in self.habits.get("omits", []):
            params.pop(name, None)
        if self.habits.on("unchangedOmitted"):
            same = names_as_parameters(before)
            params = {key: value for key, value in params.items() if value != same.get(key)}
        params = altered(params, self.habits, self.names["appName"]) | {"language": language, "hmiDisplayLanguage": language}
        if self.habits.on("sendsDefaultLanguage"):
            params |= {"language": self.default, "hmiDisplayLanguage": self.default}
        if self.habits.on("sendsDefaultDisplay"):
            params["hmiDisplayLanguage"] = self.default
        return params
