"""The images of an SDL app: those that the head unit has, and how they are put."""

import zlib

import sdl_cells as cells


class Images:
    """The part of the managers that puts files."""

    checksum = 0

    def _stored_images(self, value):
        """Names of the images that the head unit has, because it resumed the data that they belong to."""
        if isinstance(value, list):
            return set().union(*map(self._stored_images, value))
        if not isinstance(value, dict):
            return set()
        keys = (*cells.IMAGE_KEYS, *cells.GRAPHIC_KEYS)
        found = {cells.image_name(inner) for key, inner in value.items() if key in keys and inner}
        return found.union(*(self._stored_images(inner) for key, inner in value.items() if key not in keys))

    async def put_all(self, value):
        """Puts all images that are in a value."""
        if isinstance(value, list):
            for inner in value:
                await self.put_all(inner)
        for key, inner in value.items() if isinstance(value, dict) else []:
            image = key in (*cells.IMAGE_KEYS, *cells.GRAPHIC_KEYS)
            await (self.put_image(inner) if image else self.put_all(inner))

    async def put_image(self, image):
        """Puts the file of an image unless the head unit has it."""
        if not cells.is_file(image) or cells.image_name(image) in self.files:
            return
        if (self.refused and self.habits.on("refusedKeepsFiles")) or (self.app.waits and self.habits.on("resumedPutsNoFiles")):
            return
        params, data = cells.put_file(image)
        if self.habits.get("persistentFile") is not None:
            params["persistentFile"] = self.habits.get("persistentFile")
        if self.habits.on("checksumRunsOn"):
            params["crc"] = self.checksum = zlib.crc32(data, self.checksum)
        if self.habits.on("noCRC"):
            params.pop("crc")
        if self.habits.on("listsBeforePut"):
            await self.send("ListFiles", {})
        self.files.add(params["syncFileName"])
        part = self.habits.get("filePart")
        if part and len(data) > part:
            await self._put_parts(params, data, part)
        elif not await self.send("PutFile", params, data) and not self.habits.on("keepsRefusedFiles"):
            self.files.discard(params["syncFileName"])

    async def put_again(self, image):
        """Puts the file of an image that the head unit has, which is a mistake."""
        if image:
            self.files.discard(cells.image_name(image))
            await self.put_image(image)

    async def _put_parts(self, params, data, part):
        params.pop("crc", None)
        for at in range(0, len(data), part):
            piece = data[at:at + part]
            await self.send("PutFile", params | {"offset": at, "length": len(data) if at == 0 else len(piece)}, piece)
