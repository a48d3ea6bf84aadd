// Colours of balls by a quantity, and the legend that says what they mean.

class Paint {
  constructor(header) {
    this.header = header;
    this.scale = bytesOf(header.colours.scale);
    this.palette = header.colours.palette.map((text) => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16)));
    this.by = header.colour;
  }

  /** Colours of the balls of a frame, 4 bytes each. */
  colours(values, count) {
    const colours = new Uint8Array(4 * count), quantity = this.header.quantities[this.by];
    if (!quantity) return colours.fill(158);
    const [low, high] = quantity.range, over = 255 / ((high - low) || 1);
    for (let k = 0; k < count; k++) {
      if (quantity.palette) {
        const colour = values[k] < 0 ? [200, 204, 208] : this.palette[Math.round(values[k]) % this.palette.length];
        colours.set(colour, 4 * k);
        continue;
      }
      const place = 3 * Math.max(0, Math.min(255, Math.round((values[k] - low) * over)));
      colours[4 * k] = this.scale[place];
      colours[4 * k + 1] = this.scale[place + 1];
      colours[4 * k + 2] = this.scale[place + 2];
    }
    return colours;
  }

  legend() {
    const quantity = this.header.quantities[this.by], element = (id) => document.getElementById(id);
    element("legend").hidden = !quantity || !this.header.balls;
    if (!quantity) return;
    const unit = quantity.unit ? ` [${quantity.unit}]` : "";
    element("legend-label").textContent = quantity.label + unit;
    element("legend-scale").hidden = Boolean(quantity.palette);
    const names = this.by === "kind" ? this.header.kinds : [];
    element("legend-kinds").replaceChildren(...names.slice(0, this.palette.length).map((name, k) => {
      const item = document.createElement("li");
      item.textContent = name;
      item.style.setProperty("--swatch", `rgb(${this.palette[k]})`);
      return item;
    }));
    const [low, high] = quantity.range.map((value) => String(Number(value.toPrecision(3))));
    element("legend-low").textContent = low;
    element("legend-high").textContent = quantity.beyond ? `≥ ${high}` : high;
    const brush = element("legend-bar").getContext("2d");
    for (let row = 0; row < 128; row++) {
      brush.fillStyle = `rgb(${this.scale.subarray(3 * (255 - 2 * row), 3 * (255 - 2 * row) + 3)})`;
      brush.fillRect(0, row, 1, 1);
    }
  }
}
