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
  async names() { return this.json("names"); }
  async about(k, what, place) { return this.json(`about/${k}/${what}/${encodeURIComponent(place)}`); }

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

  async names() { return this.parts.header.names; }

  /** The path of a body: as it is kept, or from frame to frame. */
  async trace(name) {
    if (this.parts.places[`trace/${name}`] !== undefined) return this.part(`trace/${name}`).points;
    const { header } = this.parts, { names, numbers } = header.names, points = new Float32Array(3 * header.times.length).fill(NaN);
    const solid = header.solids.findIndex((one) => one.kind === "body" && one.name === name), id = numbers[names.indexOf(name)];
    for (let k = 0; k < header.times.length; k++) {
      const frame = await this.frame(k);
      points.set(solid >= 0 ? frame.poses.subarray(7 * solid, 7 * solid + 3) : meanPosition(frame, id), 3 * k);
    }
    return points;
  }

  /** The numbers that this page holds of a body; `place` is that of a solid or ball, or the name of a line. */
  async about(k, what, place) {
    const { header } = this.parts, frame = await this.frame(k), rows = {};
    const position = (at) => `(${Array.from(at.subarray(0, header.dimension), (x) => x.toPrecision(4)).join(", ")}) m`;
    if (what === "line") return { name: place };
    if (what === "solid") {
      const { name, kind, detail } = header.solids[place];
      return { name, kind: detail, ...(kind === "body" ? { position: position(frame.poses.subarray(7 * place)) } : {}) };
    }
    rows.kind = header.kinds[frame.kinds[place]];
    rows.position = position(frame.positions.subarray(3 * place));
    rows.radius = `${frame.radii[place].toPrecision(4)} m`;
    for (const [name, quantity] of Object.entries(header.quantities)) {
      if (name === "size" || name === "kind" || !this.parts.places[`values/${k}/${name}`]) continue;
      const value = (await this.values(k, name))[place];
      rows[quantity.label] = `${quantity.discrete ? value : value.toPrecision(4)} ${quantity.unit}`;
    }
    const { names, numbers } = header.names;
    return { name: names[numbers.indexOf(frame.bodies[place])] ?? rows.kind, ...rows };
  }
}

/** The mean position of the balls of a body; not a number where it is not there. */
function meanPosition({ positions, bodies }, id) {
  const sum = [0, 0, 0];
  let count = 0;
  for (let k = bodies.indexOf(id); k >= 0; k = bodies.indexOf(id, k + 1), count++) for (let a = 0; a < 3; a++) sum[a] += positions[3 * k + a];
  return sum.map((x) => x / count);
}
