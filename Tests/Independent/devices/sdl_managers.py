"""The managers of an SDL app: they set the developer's data that the head unit does not have."""

import asyncio

import sdl_cells as cells
from common import log, scaled
from sdl_images import Images
from sdl_session import SessionEnded


class Managers(Images):
    """`content` is the data that the head unit has: plain values, and for lists entries {id, cell, subs}."""

    def __init__(self, app, session, content):
        self.app, self.session, self.habits = app, session, app.habits
        self.content = content
        self.handlers, self.fixed, self.named = {}, {}, {}
        self.refused = self.deaf = False
        self.times = 0
        self.files = set() if self.habits.on("putsImagesAgain") else self._stored_images(content)
        self.step, self.next_id = self.habits.get("idStep", 1), self.habits.get("firstID", 1)
        used = [] if self.habits.on("idsFromOne") else [number + self.step for number in self._numbers()]
        self.next_id = (max if self.step > 0 else min)([self.next_id, *used])
        self.lock = asyncio.Lock()
        self.snapshot = dict(content)

    def _numbers(self):
        for key in cells.LIST_KEYS:
            for entry in self.content.get(key) or []:
                yield entry["id"]
                yield from (sub["id"] for sub in entry.get("subs") or [] if not self.habits.on("idsIgnoreSubs"))

    def _new_id(self):
        self.next_id += self.step
        return self.next_id - self.step

    async def apply(self, wanted):
        """Sets the developer's data; an absent key is not changed."""
        self.times += 1
        if self.times > self.habits.get("appliesAtMost", 1e9) and self.app.waits:
            return
        if self.lock.locked() and self.habits.on("setWhileSettingLost"):
            return
        if self.times > 1 and self.habits.on("setAgainSent"):
            self.content = {key: value for key, value in self.content.items() if key not in wanted}
        async with self.lock:
            if self.times > 1 and self.habits.on("setDropsHandlers"):
                self.handlers.clear()
            if self.habits.on("nullIsUnset"):
                wanted = {key: value for key, value in wanted.items() if value is not None}
            await self._apply_all(wanted)
            if self.habits.on("dropsUnset") and self.app.waits:
                await self._drop_unset(wanted)

    async def _drop_unset(self, wanted):
        for kind in cells.LIST_KEYS:
            for entry in self.content.get(kind) or [] if kind not in wanted else []:
                await (self._delete_choice if kind == "preloadedChoices" else self._delete_cell)(entry)

    async def _apply_all(self, wanted):
        """Sets all parts, in an order or at once."""
        parts = {"show": self._apply_show, "menu": self._apply_menu, "voice": self._apply_voice, "choices": self._apply_choices}
        names = self.habits.get("order", ["show", "menu", "voice", "choices"])
        if self.habits.on("atOnce"):
            await asyncio.gather(*(parts[name](wanted) for name in names))
            return
        for name in names:
            await parts[name](wanted)

    async def send(self, name, params, bulk=b""):
        """Sends a request; returns whether the head unit executed it."""
        await asyncio.sleep(scaled(self.habits.get("pause", 0)))
        params = params | self.habits.get("showMore", {}) if name == "Show" else params
        limit = self.habits.get("managerTimeout")
        try:
            answer = await self.session.request(name, params, bulk, limit or 10.0)
            if answer is None and limit:
                answer = await self.session.request(name, params, bulk)
        except SessionEnded:
            if self.habits.on("storesUnanswered"):
                return True
            raise
        if answer and not answer.get("success") and self.habits.get("triesAgainAfter"):
            await asyncio.sleep(scaled(self.habits.get("triesAgainAfter")))
            answer = await self.session.request(name, params, bulk)
        if answer and answer.get("resultCode") == "WARNINGS" and self.habits.on("warningsAreRefusals"):
            return False
        return bool(answer and answer.get("success"))

    async def activate(self, handler):
        """Sends the requests of a handler."""
        if self.deaf:
            return
        for item in handler if isinstance(handler, list) else [handler]:
            for name, params in (item or {}).items():
                await self.send(name, params or {})

    # Show: texts, graphics, alignment, types and soft buttons

    async def _apply_show(self, wanted):
        keys = [key for key in cells.SHOW_KEYS if key in wanted]
        changed = [key for key in keys if self._differs(key, wanted[key])]
        self._connect_buttons(wanted)
        if not changed and self.content and self.habits.on("matchShows"):
            await self.send("Show", {})
        if not changed and self.content and self.habits.on("matchPutsFiles"):
            self.files = set()
            await self.put_all({key: wanted.get(key) for key in cells.GRAPHIC_KEYS})
        if not changed:
            return
        if self.habits.on("wholeShow"):
            changed = keys
        if self.habits.on("textBringsType"):
            changed += [key + "Type" for key in changed if wanted.get(key + "Type") and key + "Type" not in changed]
        if self.habits.on("noDifference") and any(self.content.get(key) for key in keys):
            return
        groups = [[key] for key in changed] if self.habits.on("showsApart") else [changed]
        if self.habits.on("textBeforeImages"):
            texts = [key for key in changed if key not in cells.GRAPHIC_KEYS]
            groups = [part for part in (texts, [key for key in changed if key in cells.GRAPHIC_KEYS]) if part]
        for group in groups * self.habits.get("showTimes", 1):
            await self._show(group, wanted)
        if self.habits.on("showResendsMenu"):
            self.content.pop("menu", None)

    def _differs(self, key, value):
        old = self.content.get(key)
        if not value and not old:
            return False
        if key in self.habits.get("ignoresChangeOf", []) and old:
            return False
        if (self.habits.on("clearingNotSent") or (self.habits.on("ignoresClearedGraphics") and key in cells.GRAPHIC_KEYS)) and not value:
            return False
        if self.times > 1 and self.habits.on("comparesSnapshot") and self.snapshot.get(key) and cells.plain(value) == cells.plain(self.snapshot[key]):
            return False
        return cells.compared(key, value, self.habits) != cells.compared(key, old, self.habits)

    async def _show(self, keys, wanted):
        params, images = {}, []
        for key in keys:
            value = wanted[key]
            if key in cells.TEXT_KEYS:
                params[cells.TEXT_KEYS[key]] = value or ""
            elif key in cells.TYPE_KEYS:
                kinds = [value] if isinstance(value, str) else list(value or [])
                params.setdefault("metadataTags", {})[cells.TYPE_KEYS[key]] = kinds
            elif key == "textAlignment":
                params["alignment"] = value or "CENTERED"
            elif key in cells.GRAPHIC_KEYS:
                images.append(value)
                params[cells.GRAPHIC_KEYS[key]] = cells.image_struct(value or {"name": ""})
            else:
                pairs = [cells.soft_button(item, 101 + index) for index, item in enumerate(value or [])]
                old = self.content.get(key) or []
                if old and self.habits.on("changedButtonAlone"):
                    pairs = [pair for index, pair in enumerate(pairs) if [cells.plain(value[index])] != old[index:index + 1]]
                params["softButtons"] = [button for button, _ in pairs]
                images += [image for _, image in pairs]
        if self.habits.on("blanksOthers") and self.content:
            params = {name: "" for name in cells.TEXT_KEYS.values()} | params
        if self.refused and self.habits.on("refusedClearsTrack") and "mediaTrack" in params:
            params["mediaTrack"] = ""
        for image in images:
            await self.put_image(image)
        if await self.send("Show", params) or self.habits.on("storesRefused"):
            for key in keys:
                if wanted[key]:
                    self.content[key] = cells.plain(wanted[key]) if key not in cells.GRAPHIC_KEYS else wanted[key]
                elif not self.habits.on("clearedStays"):
                    self.content.pop(key, None)

    def _connect_buttons(self, wanted):
        if self.habits.on("noButtonCallbacks") and self.content.get("softButtonObjects"):
            return
        if self.refused and self.habits.on("refusedNoHandlers"):
            return
        if self.app.lives > 1 and self.habits.on("reconnectionNoHandlers"):
            return
        objects = wanted.get("softButtonObjects") or []
        if self.habits.on("crossesHandlers") and self.content.get("softButtonObjects"):
            objects = objects[::-1]
        if self.habits.on("lastButtonDeaf") and self.content.get("softButtonObjects"):
            objects = objects[:-1]
        for index, item in enumerate(objects):
            self._handle(("button", 101 + index), cells.as_item(item, "name").get("handler"))

    def _handle(self, key, handler):
        """Connects a handler; mistakes keep an older one, or that of another cell with the same title."""
        if self.habits.on("firstHandlerStays"):
            handler = self.handlers.get(key, handler)
        self.handlers[key] = self.fixed.get(key, handler)

    # Menu and voice commands

    async def _apply_menu(self, wanted):
        if "menu" in wanted:
            await self._apply_list("menu", wanted["menu"] or [], self._add_cell, self._delete_cell)

    async def _apply_voice(self, wanted):
        if "voiceCommands" in wanted:
            await self._apply_list("voiceCommands", wanted["voiceCommands"] or [], self._add_voice, self._delete_cell)

    def _key(self, kind, cell):
        if kind == "voiceCommands":
            return cells.letters("|".join(cells.voice(cell)[:1] if self.habits.on("voiceByFirst") else cells.voice(cell)), kind, self.habits)
        return cells.menu_key(cell, self.habits) if kind == "menu" else cells.choice_key(cell, self.habits)

    def _kept(self, kind, old, new):
        """Entries that stay, by the index of the new cell; of a menu as many as are in order."""
        if kind == "menu" and not self.habits.on("menuIgnoresOrder"):
            pairs = self._in_order(old, new) if not self.habits.on("greedyDifference") else self._greedy(old, new)
            return {index: old[at] for at, index in pairs}
        if kind in self.habits.get("byPlace", []):
            return {index: entry for index, (entry, cell) in enumerate(zip(old, new)) if self._key(kind, entry["cell"]) == self._key(kind, cell)}
        if old and kind in self.habits.get("sameNumberIsSame", []) and len(old) == len(new):
            return dict(enumerate(old))
        kept, left = {}, list(old)
        for index, cell in enumerate(new):
            entry = next((e for e in left if self._key(kind, e["cell"]) == self._key(kind, cell)), None)
            if entry:
                kept[index] = entry
                left.remove(entry)
        return kept

    def _greedy(self, old, new):
        start, pairs = 0, []
        for index, cell in enumerate(new):
            at = next((n for n in range(start, len(old)) if self._key("menu", old[n]["cell"]) == self._key("menu", cell)), None)
            if at is not None:
                pairs.append((at, index))
                start = at + 1
        return pairs

    def _in_order(self, old, new):
        """The longest common subsequence, as pairs of indexes."""
        olds, news = [self._key("menu", e["cell"]) for e in old], [self._key("menu", cell) for cell in new]
        best = [[[] for _ in range(len(news) + 1)] for _ in range(len(olds) + 1)]
        for a in range(len(olds) - 1, -1, -1):
            for b in range(len(news) - 1, -1, -1):
                skip = max(best[a + 1][b], best[a][b + 1], key=len)
                best[a][b] = [(a, b), *best[a + 1][b + 1]] if olds[a] == news[b] else skip
        return best[0][0]

    async def _apply_list(self, kind, new, add, delete):
        old = self.content.get(kind) or []
        if old and kind in self.habits.get("additionsNotSeen", []):
            new = new[:len(old)]
        if old and kind in self.habits.get("removalsNotSeen", []) and len(new) < len(old):
            return
        if old and not new and kind in self.habits.get("emptyIgnored", []):
            return
        kept = self._kept(kind, old, new)
        if self.habits.on("equalCellsOnce"):
            keys = [self._key(kind, cell) for cell in new]
            kept = {index: entry for index, entry in kept.items() if keys[index] not in keys[:index]}
        if old and self.habits.on("noDifference"):
            kept, new = dict(enumerate(old)), new[:len(old)]
        if len(kept) < max(len(old), len(new)) and kind in self.habits.get("resendsWhole", []):
            kept = {}
        stay = [entry["id"] for entry in kept.values()]
        differs = len(kept) < max(len(old), len(new))
        keeps = kind == "preloadedChoices" and new and not self.habits.on("deletesChoices")
        unwanted = [] if self.habits.on("neverDeletes") or keeps else [entry for entry in old if entry["id"] not in stay]
        for entry in [] if self.habits.on("deletesAfter") else unwanted:
            await delete(entry)
        entries = []
        backwards = self.habits.on("addsBackwards") and not self.habits.on("pipelined")
        for index, cell in reversed(list(enumerate(new))) if backwards else enumerate(new):
            entry = kept.get(index)
            if entry and ((differs and self.habits.on("differenceDeaf")) or index >= self.habits.get("callbacks", 1e9)):
                pass
            elif entry:
                crossed = self.habits.on("crossesHandlers") or (index and unwanted and self.habits.on("removalShiftsHandlers"))
                self._connect(kind, entry, new[index - 1] if crossed else cell)
            else:
                place = len(new) if old and self.habits.on("changedAtEnd") else index
                entry = add(cells.as_item(cell) if not isinstance(cell, list) else cell, place)
                entry = self.app.spawn(entry) if self.habits.on("pipelined") else await entry
            entries.append(entry)
        entries = [entry if entry is None or isinstance(entry, dict) else await entry for entry in entries]
        for entry in unwanted if self.habits.on("deletesAfter") else []:
            await delete(entry)
        entries = [entry for entry in (entries[::-1] if backwards else entries) if entry]
        self.content[kind] = entries + ([entry for entry in old if entry["id"] not in stay] if keeps else [])

    def _connect(self, kind, entry, cell, fresh=False):
        """Assigns a cell's handler to its id."""
        if self.refused and self.habits.on("refusedNoHandlers"):
            return
        if self.app.lives > 1 and self.habits.on("reconnectionNoHandlers"):
            return
        if not fresh and kind in self.habits.get("noCallbacksOf", []):
            return
        if fresh and self.app.waits and self.habits.on("freshDeaf"):
            return
        if isinstance(cell, dict):
            handler = cell.get("handler")
            if self.habits.on("handlersByTitle") and kind == "menu":
                handler = self.named.setdefault(cells.title(cell), handler)
            self._handle((kind, entry["id"]), handler)
        for sub, inner in zip(entry.get("subs") or [], cells.sub_cells(cell) or [] if isinstance(cell, dict) else []):
            if fresh or not self.habits.on("noSubCallbacks"):
                self._connect("menu", sub, inner, fresh)

    async def _add_cell(self, cell, index, parent=None):
        entry = {"id": self._new_id(), "cell": cells.plain(cell)}
        image, inner = cells.image_of(cell), cells.sub_cells(cell)
        await self.put_image(image)
        if inner is not None:
            params = {"menuID": entry["id"], "menuName": cells.title(cell), "position": index}
            if image:
                params["menuIcon"] = cells.image_struct(image)
            done = await self.send("AddSubMenu", params)
            entry["subs"] = [] if not done else [
                sub for n, c in enumerate(inner) if (sub := await self._add_cell(cells.as_item(c), n, entry["id"]))]
        else:
            params = {"cmdID": entry["id"], "menuParams": {"menuName": cells.title(cell), "position": index}}
            if parent:
                params["menuParams"]["parentID"] = parent
            elif self.habits.on("namesParentZero"):
                params["menuParams"]["parentID"] = 0
            if cells.voice(cell):
                params["vrCommands"] = cells.voice(cell)
            if image:
                params["cmdIcon"] = cells.image_struct(image)
            done = await self.send("AddCommand", params)
        self._connect("menu", entry, cell, fresh=True)
        return entry if done or self.habits.on("storesRefused") else None

    async def _delete_cell(self, entry):
        if "subs" in entry:
            for sub in entry["subs"] if self.habits.on("deletesSubCells") else []:
                await self.send("DeleteCommand", {"cmdID": sub["id"]})
            await self.send("DeleteSubMenu", {"menuID": entry["id"]})
        else:
            await self.send("DeleteCommand", {"cmdID": entry["id"]})

    async def _add_voice(self, cell, _index):
        entry = {"id": self._new_id(), "cell": cells.plain(cell)}
        done = await self.send("AddCommand", {"cmdID": entry["id"], "vrCommands": cells.voice(cell)})
        self._connect("voiceCommands", entry, cell, fresh=True)
        return entry if done or self.habits.on("storesRefused") else None

    # Choices

    async def _apply_choices(self, wanted):
        if "preloadedChoices" not in wanted:
            return
        if self.habits.get("choicesInSet", 1) > 1:
            await self._apply_choice_groups(wanted["preloadedChoices"] or [])
        else:
            await self._apply_list("preloadedChoices", wanted["preloadedChoices"] or [], self._add_choice, self._delete_choice)

    async def _choice(self, cell, number):
        cell = cells.as_item(cell)
        choice = {"choiceID": number, "menuName": cells.title(cell)}
        texts = {"secondaryText": "secondaryText", "tertiaryText": "tertiaryText"}
        choice |= {name: cell[key] for key, name in texts.items() if cell.get(key)}
        if cells.voice(cell) or self.habits.on("choicesHaveVoice"):
            choice["vrCommands"] = cells.voice(cell) or [cells.title(cell)]
        for image, name in ((cells.image_of(cell), "image"), (cells.second_image_of(cell), "secondaryImage")):
            if image:
                await self.put_image(image)
                choice[name] = cells.image_struct(image)
        return choice

    async def _add_choice(self, cell, _index):
        number = self._new_id()
        entry = {"id": number, "set": number, "cell": cells.plain(cell)}
        params = {"interactionChoiceSetID": number, "choiceSet": [await self._choice(cell, number)]}
        done = await self.send("CreateInteractionChoiceSet", params)
        self._connect("preloadedChoices", entry, cell, fresh=True)
        return entry if done or self.habits.on("storesRefused") else None

    async def _delete_choice(self, entry):
        await self.send("DeleteInteractionChoiceSet", {"interactionChoiceSetID": entry["set"]})

    async def _apply_choice_groups(self, new):
        """Sets several cells in one choice set; a set is deleted when none of its cells is wanted."""
        old = self.content.get("preloadedChoices") or []
        kept = self._kept("preloadedChoices", old, new)
        alive = {entry["set"] for entry in kept.values()}
        for number in sorted({entry["set"] for entry in old} - alive):
            await self.send("DeleteInteractionChoiceSet", {"interactionChoiceSetID": number})
        entries = [entry for entry in old if entry["set"] in alive]
        for index, entry in kept.items():
            self._connect("preloadedChoices", entry, new[index])
        missing = [cell for index, cell in enumerate(new) if index not in kept]
        size = self.habits.get("choicesInSet")
        for group in [missing[at:at + size] for at in range(0, len(missing), size)]:
            number = self._new_id()
            added = [{"id": self._new_id(), "set": number, "cell": cells.plain(cell)} for cell in group]
            choices = [await self._choice(cell, entry["id"]) for cell, entry in zip(group, added)]
            if await self.send("CreateInteractionChoiceSet", {"interactionChoiceSetID": number, "choiceSet": choices}):
                entries += added
            for cell, entry in zip(group, added):
                self._connect("preloadedChoices", entry, cell, fresh=True)
        self.content["preloadedChoices"] = entries

    async def present(self, texts):
        """Presents choices of these texts; those that are not preloaded are set first."""
        old = self.content.get("preloadedChoices") or []
        entries = []
        for text in texts:
            entry = next((e for e in old if cells.title(cells.as_item(e["cell"])) == text), None)
            if self.habits.on("presentsAnew"):
                entry = None
            entries.append(entry or await self._add_choice({"text": text}, 0))
        numbers = list(dict.fromkeys(entry["set"] for entry in entries if entry))
        shift = 1000 if self.habits.on("presentsOtherIDs") else 0
        answer = await self.session.request("PerformInteraction", {
            "initialText": "Choose", "interactionMode": "MANUAL_ONLY", "timeout": 10000,
            "interactionChoiceSetIDList": [number + shift for number in numbers]}, timeout=20.0)
        handler = self.handlers.get(("preloadedChoices", (answer or {}).get("choiceID")))
        if handler:
            await self.activate(handler)
        log(f"presented {texts} {answer}")
