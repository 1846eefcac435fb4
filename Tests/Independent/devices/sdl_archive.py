"""The stored hash and data of an app at a head unit."""

import hashlib
import json
import os
import tempfile

from common import log


class Archive:
    """One file for each app and head unit below HOME; whatever cannot be read counts as absent."""

    def __init__(self, habits, app_id):
        self.habits, self.app_id = habits, app_id
        self.folder = os.path.join(os.environ.get("HOME") or tempfile.gettempdir(), ".independent-sdl")

    def load(self, head_unit):
        """What was stored: {hash, data}, or {} if there is nothing that can be used."""
        if self.habits.on("memoryOnly"):
            return {}
        try:
            with open(self._path(head_unit), "rb") as file:
                return self._decoded(file.read())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError) as error:
            if self.habits.on("crashOnDamage"):
                raise SystemExit(3) from error
            log(f"archive not usable: {error}")
            return {"hash": "unreadable", "data": {}} if self.habits.on("hashOnDamage") else {}

    def store(self, head_unit, content):
        """Replaces what is stored."""
        os.makedirs(self.folder, exist_ok=True)
        text = json.dumps(content, sort_keys=True).encode()
        data = hashlib.sha256(text).hexdigest().encode() + b"\n" + text + b" " * self.habits.get("padding", 0)
        if self.habits.on("noChecksum"):
            data = text
        path = self._path(head_unit)
        with open(path + ".part", "wb") as file:
            file.write(data)
        os.replace(path + ".part", path)

    def drop(self, head_unit):
        """Forgets what is stored."""
        try:
            os.unlink(self._path(head_unit))
        except FileNotFoundError:
            pass

    def _path(self, head_unit):
        app = "any" if self.habits.on("archiveOfAnyApp") else self.app_id
        unit = "any" if self.habits.on("archiveOfAnyHeadUnit") else head_unit
        key = hashlib.sha256(json.dumps([app, unit], sort_keys=True).encode()).hexdigest()[:24]
        return os.path.join(self.folder, key + ".archive")

    def _decoded(self, data):
        if self.habits.on("noChecksum"):
            return self._lenient(data)
        digest, text = data.rstrip(b" ").split(b"\n", 1)
        if hashlib.sha256(text).hexdigest().encode() != digest:
            raise ValueError("checksum")
        return json.loads(text)

    @staticmethod
    def _lenient(data):
        """A mutant's reader: takes the hash out of whatever is left of the file."""
        text = data.decode(errors="replace")
        try:
            return json.loads(text)
        except ValueError:
            at = text.find('"hash": "')
            return {"hash": text[at + 9:at + 9 + 64].split('"')[0], "data": {}} if at >= 0 else {}
