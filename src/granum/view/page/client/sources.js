// Where a run comes from: a server on this machine, or this very page. Both answer the same questions.

class ServedRun {
  async header() { return this.json("header"); }
  async state() { return this.json("state"); }
  async series() { return this.json("series"); }
  async solids() { return this.arrays("solids"); }
  async frame(k) { return this.arrays(`frame/${k}`); }
  async values(k, quantity) { return (await this.arrays(`values/${k}/${quantity}`)).values; }
  async chains(k) { return this.arrays(`chains/${k}`); }
  async trace(name) { return (await this.arrays(`trace/${encodeURIComponent(name)}`)).points; }
  async about(k, what, place) { return this.json(`about/${k}/${what}/${place}`); }

  async json(path) { return (await this.ask(path)).json(); }
  async arrays(path) { return unpackArrays(await (await this.ask(path)).arrayBuffer()); }

  async ask(path) {
    const answer = await fetch(path, { cache: "no-store" });
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  }
}

class EmbeddedRun {
  static async open(base64) {
    const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new EmbeddedRun(await new Response(stream).arrayBuffer());
  }

  constructor(buffer) {
    this.buffer = buffer;
    const text = unpackArrays(buffer);
    this.parts = JSON.parse(new TextDecoder().decode(text.parts));
  }

  part(name) {
    const begin = this.parts.places[name];
    if (begin === undefined) throw new Error(`This page does not hold ${name}.`);
    return unpackArrays(this.buffer, begin);
  }

  async header() { return this.parts.header; }
  async state() { return { frames: this.parts.header.times.length, finished: true }; }
  async series() { return this.parts.series; }
  async solids() { return this.part("solids"); }
  async frame(k) { return { ...this.part(`lasting/${k}`), ...this.part(`moving/${k}`) }; }
  async values(k, quantity) { return this.part(`values/${k}/${quantity}`).values; }
  async chains(k) { return this.part(`chains/${k}`); }
  async trace(name) { return this.part(`trace/${name}`).points; }

  /** The numbers that this page holds of a body. */
  async about(k, what, place) {
    const { header } = this.parts, frame = await this.frame(k), rows = {};
    if (what === "solid") return { name: header.solids[place].name };
    const at = Array.from(frame.positions.subarray(3 * place, 3 * place + header.dimension));
    rows.position = `(${at.map((x) => x.toPrecision(5)).join(", ")}) m`;
    rows.radius = `${frame.radii[place].toPrecision(4)} m`;
    for (const [name, quantity] of Object.entries(header.quantities)) {
      if (name === "size" || name === "kind" || !this.parts.places[`values/${k}/${name}`]) continue;
      const value = (await this.values(k, name))[place];
      rows[quantity.label] = `${quantity.discrete ? value : value.toPrecision(4)} ${quantity.unit}`;
    }
    return { name: `${header.kinds[frame.kinds[place]]} ${frame.numbers[place]}`, ...rows };
  }
}
