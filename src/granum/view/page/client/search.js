// A box to find bodies by name: it lists what matches, by arrow keys and Enter or by a click.

const MOST_FOUND = 30;

class Search {
  /** `entries` gives {name, kind, thing} of all that can be chosen, when it is asked for the first time. */
  constructor(entries, onChoose) {
    Object.assign(this, { entries, onChoose, place: -1, found: [] });
    this.box = document.getElementById("find");
    this.list = document.getElementById("found");
    this.box.addEventListener("input", () => this.look());
    this.box.addEventListener("focus", () => this.look());
    this.box.addEventListener("blur", () => this.close());
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault();  // the box keeps the focus until something is chosen
      const item = event.target.closest("[role=option]");
      if (item) this.choose(Number(item.dataset.place));
    });
  }

  async look() {
    const typed = () => this.box.value.trim().toLowerCase(), text = typed();
    if (!text) return this.close();
    const all = await this.entries(), begins = [], holds = [];
    if (typed() !== text) return undefined;  // more was typed while names were on their way
    for (const entry of all) {
      const at = entry.name.toLowerCase().indexOf(text);
      if (at === 0) begins.push(entry);
      else if (at > 0 && holds.length < MOST_FOUND) holds.push(entry);
    }
    begins.sort((a, b) => a.name.length - b.name.length);
    this.show([...begins, ...holds]);
    return undefined;
  }

  show(found) {
    this.found = found.slice(0, MOST_FOUND);
    const items = this.found.map((entry, place) => {
      const item = Object.assign(document.createElement("li"), { id: `found-${place}`, textContent: entry.name });
      item.setAttribute("role", "option");
      item.dataset.place = place;
      item.append(Object.assign(document.createElement("span"), { textContent: entry.kind }));
      return item;
    });
    const more = found.length - this.found.length;
    if (!items.length || more > 0) {
      items.push(Object.assign(document.createElement("li"), { className: "none", textContent: more > 0 ? `and ${more} more` : "No match" }));
    }
    this.list.replaceChildren(...items);
    this.list.hidden = false;
    this.box.setAttribute("aria-expanded", "true");
    this.mark(this.found.length ? 0 : -1);
  }

  mark(place) {
    this.place = place;
    for (const item of this.list.children) item.setAttribute("aria-selected", String(item.id === `found-${place}`));
    if (place < 0) return this.box.removeAttribute("aria-activedescendant");
    this.list.children[place].scrollIntoView({ block: "nearest" });
    return this.box.setAttribute("aria-activedescendant", `found-${place}`);
  }

  key(event) {
    const count = this.found.length, step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && count && !this.list.hidden) {
      event.preventDefault();
      this.mark((this.place + step + count) % count);
    } else if (event.key === "Enter" && this.place >= 0 && !this.list.hidden) this.choose(this.place);
    else if (event.key === "Escape") {
      this.box.value = "";
      this.box.blur();
    }
  }

  choose(place) {
    const entry = this.found[place];
    this.box.value = "";
    this.box.blur();
    this.onChoose(entry.thing, entry.name);
  }

  close() {
    this.list.hidden = true;
    this.found = [];
    this.box.setAttribute("aria-expanded", "false");
    this.box.removeAttribute("aria-activedescendant");
  }
}
