"""A page taken apart by Python's own parser."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """Its elements with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self._rows: list[list[str]] = []
        self._is_in_cell = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attributes}))
        if tag == "tr":
            self._rows.append([])
        if tag == "td":
            self._rows[-1].append("")
        self._is_in_cell = tag == "td" or (self._is_in_cell and tag != "tr")

    def handle_endtag(self, tag: str) -> None:
        self._is_in_cell = self._is_in_cell and tag not in ("td", "tr")

    def rows(self) -> list[list[str]]:
        """The cells of its tables' rows, without the headings."""
        return [[cell.strip() for cell in row] for row in self._rows if row]

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._is_in_cell:
            self._rows[-1][-1] += data

    def dangers(self) -> list[str]:
        """What could run: handlers, scripts and styles in the page, addresses that are programs, strange elements."""
        found = [tag for tag, _ in self.elements if tag in ("img", "iframe", "object", "embed", "style", "base")]
        for tag, attributes in self.elements:
            found += [name for name in attributes if name.startswith("on") or name == "style"]
            if tag == "script" and not attributes.get("src", "").startswith("/assets/"):
                found.append("script")
            address = attributes.get("href", attributes.get("action", "/"))
            if not address.startswith(("/", "#", "?")) or address.startswith("//"):
                found.append(address)
        return found
