"""The stored hash and data of an app at a head unit."""

import gzip
import hashlib
import json
import os
import sqlite3
import tempfile

from common import log


class Archive:
    """One file for each app and head unit below HOME; a file that cannot be read counts as absent."""

    def __init__(self, habits, app_id):
        self.habits, self.app_id, self.damaged = habits, app_id, False
        self.folder = os.path.join(os.environ.get("HOME") or tempfile.gettempdir(), ".independent-sdl")

    def load(self, head_unit):
        """The stored {hash, data}, or {} if there is nothing usable."""
        if self.habits.on("memoryOnly"):
            return {}
        try:
            found = self._read(head_unit)
            if self.habits.on("digitsStored"):
                found["data"] = {key: int(value) if isinstance(value, str) and value.isdigit() else value for key, value in found["data"].items()}
            return found if not self.habits.on("oneSlot") or found.pop("unit", None) == self._slot(head_unit) else {}
        except FileNotFoundError:
            return {}
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, sqlite3.Error) as error:
            return self._not_usable(error, head_unit)

    def _not_usable(self, error, head_unit):
        self.damaged = True
        empty = any(os.path.getsize(path) == 0 for path in self._files(head_unit))
        if self.habits.on("crashOnDamage") or (empty and self.habits.on("crashOnEmpty")):
            raise SystemExit(3) from error
        log(f"archive not usable: {error}")
        invented = self.habits.get("hashOnDamage")
        return {"hash": invented, "data": {}} if invented is not None else {}

    def store(self, head_unit, content):
        """Replaces the stored hash and data."""
        if self.damaged and self.habits.on("damageIsForGood"):
            return
        if self.habits.on("archiveASCII") or self.habits.get("storesAtMost"):
            content = {**content, "data": self._worn(content["data"])}
        os.makedirs(self.folder, exist_ok=True)
        path = self._path(head_unit)
        if self.habits.on("oneSlot"):
            content = {**content, "unit": self._slot(head_unit)}
        if self.habits.on("database"):
            self._write_rows(path, content)
        elif self.habits.on("twoFiles"):
            self._write(path + ".data", content["data"])
            self._write(path, content["hash"])
        else:
            self._write(path, content)

    def _worn(self, value):
        """Data as a mistake stores it: texts without letters, or without their ends."""
        if isinstance(value, dict):
            return {key: self._worn(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._worn(inner) for inner in value]
        if isinstance(value, str) and self.habits.on("archiveASCII"):
            value = value.encode("ascii", "replace").decode()
        return value[:self.habits.get("storesAtMost")] if isinstance(value, str) else value

    def drop_all(self):
        """Deletes what is stored for all apps and head units, which is a mistake."""
        for name in os.listdir(self.folder) if os.path.isdir(self.folder) else []:
            os.unlink(os.path.join(self.folder, name))

    def drop(self, head_unit):
        """Deletes the stored hash and data."""
        for path in self._files(head_unit):
            os.unlink(path)

    def _files(self, head_unit):
        return [path for end in ("", ".data") if os.path.exists(path := self._path(head_unit) + end)]

    def _slot(self, head_unit):
        return [self.app_id, head_unit] if self.habits.on("slotOfApp") else head_unit

    def _path(self, head_unit):
        app = "any" if self.habits.on("archiveOfAnyApp") else self.app_id[:self.habits.get("appIDLength")]
        app = app.lower() if self.habits.on("appIDCaseless") else app
        unit = "any" if self.habits.on("archiveOfAnyHeadUnit") or self.habits.on("oneSlot") else head_unit
        if isinstance(unit, list) and self.habits.get("unitBy") is not None:
            unit = [{key: unit[1].get(key) for key in self.habits.get("unitBy")}]
        key = hashlib.sha256(json.dumps([app, unit], sort_keys=True).encode()).hexdigest()[:24]
        return os.path.join(self.folder, key + ".archive")

    # Ways to write a value

    def _write(self, path, value):
        text = json.dumps(value, sort_keys=True).encode()
        data = hashlib.sha256(text).hexdigest().encode() + b"\n" + text + b" " * self.habits.get("padding", 0)
        if self.habits.on("noChecksum"):
            data = text
        if self.habits.on("packed"):
            data = gzip.compress(text)
        with open(path + ".part", "wb") as file:
            file.write(data)
        os.replace(path + ".part", path)

    def _read(self, head_unit):
        path = self._path(head_unit)
        if self.habits.on("database"):
            return self._read_rows(path)
        if self.habits.on("twoFiles"):
            return {"hash": self._value(path), "data": self._value(path + ".data")}
        return self._value(path)

    def _value(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if self.habits.on("packed"):
            return json.loads(gzip.decompress(data))
        if self.habits.on("noChecksum"):
            return self._lenient(data)
        digest, text = data.rstrip(b" ").split(b"\n", 1)
        if hashlib.sha256(text).hexdigest().encode() != digest:
            raise ValueError("checksum")
        return json.loads(text)

    @staticmethod
    def _write_rows(path, content):
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        with sqlite3.connect(path) as base:
            base.execute("create table stored (key text, value text, digest text)")
            for key, value in content.items():
                text = json.dumps(value, sort_keys=True)
                base.execute("insert into stored values (?, ?, ?)", (key, text, hashlib.sha256(text.encode()).hexdigest()))
        base.close()

    @staticmethod
    def _read_rows(path):
        with open(path, "rb"):
            pass
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            rows = base.execute("select key, value, digest from stored").fetchall()
        finally:
            base.close()
        if any(hashlib.sha256(text.encode()).hexdigest() != digest for _, text, digest in rows) or len(rows) < 2:
            raise ValueError("rows")
        return {key: json.loads(text) for key, text, _ in rows}

    @staticmethod
    def _lenient(data):
        """The reader of a mutant: takes the hash out of what remains of the file."""
        text = data.decode(errors="replace")
        try:
            return json.loads(text)
        except ValueError:
            at = text.find('"hash": "')
            return {"hash": text[at + 9:at + 9 + 64].split('"')[0], "data": {}} if at >= 0 else {}
