// The page: a run, its stage, its time and the controls of all of it.

const element = (id) => document.getElementById(id);

class Page {
  constructor(source, header) {
    Object.assign(this, { source, header, chosen: null });
    this.paint = new Paint(header);
    this.stage = new Stage(element("scene"), header);
    this.plot = new Plot(element("plot"), (k) => this.seek(k));
    this.player = new Player(source, header, (k, frame) => this.show(k, frame));
    this.settings = {
      colour: header.colour, boundaries: true, chains: header.jammed, reactions: header.reactions, marks: true, path: header.path,
      plot: Object.keys(header.plots)[0] || "none",
    };
    document.title = element("title").textContent = header.title || "Granum";
  }

  async start() {
    this.stage.addSolids(await this.source.solids());
    this.controls();
    this.footer();
    this.paint.legend();
    element("scene").addEventListener("click", (event) => this.click(event));
    await this.player.seek(this.player.follow ? this.player.last : 0);
    await this.replot();
    await this.trace();
    const loop = (clock) => {
      this.player.tick(clock).catch((error) => this.say(error.message)).then(() => this.buttons());
      this.stage.draw();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
    if (!this.header.finished) this.watch();
  }

  controls() {
    const gui = new lil.GUI({ container: element("controls"), title: "View", width: 291, injectStyles: false }), { settings, header } = this;
    const choices = Object.fromEntries(Object.entries(header.quantities).map(([name, { label }]) => [label, name]));
    if (header.balls) {
      gui.add(settings, "colour", { ...choices, "no colour": "none" }).name("colour by").onChange(() => this.recolour());
    }
    if (header.turning) gui.add(settings, "marks").name("orientation marks").onChange(() => this.refresh());
    if (header.chains) gui.add(settings, "chains").name("force chains").onChange(() => this.refresh());
    if (header.reactions) gui.add(settings, "reactions").onChange(() => this.refresh());
    if (header.solids.some(({ kind }) => kind === "boundary")) {
      gui.add(settings, "boundaries").onChange((wanted) => this.stage.showBoundaries(wanted));
    }
    if (header.traces.length) {
      gui.add(settings, "path", ["none", ...header.traces]).name("path of").onChange(() => this.trace());
    }
    const plots = Object.fromEntries(Object.entries(header.plots).map(([name, label]) => [label, name]));
    gui.add(settings, "plot", { none: "none", ...plots }).onChange(() => this.replot());
    const camera = gui.addFolder("Camera");
    for (const from of header.dimension === 2 ? ["fit"] : ["aslant", "front", "side", "top"]) {
      camera.add({ [from]: () => this.stage.view(from) }, from);
    }
    this.gui = gui;
  }

  footer() {
    const slider = element("time"), speed = element("speed"), usual = this.player.rate;
    for (const factor of [0.1, 0.25, 0.5, 1, 2, 4]) {
      speed.add(new Option(`${Number((factor * usual).toPrecision(2))} s/s`, factor * usual, factor === 1, factor === 1));
    }
    speed.addEventListener("change", () => { this.player.rate = Number(speed.value); });
    slider.addEventListener("input", () => this.seek(Number(slider.value)));
    element("play").addEventListener("click", () => this.toggle());
    window.addEventListener("keydown", (event) => {
      if (event.target.matches("input:not(#time), select")) return;
      const moves = { ArrowLeft: -1, ArrowRight: 1 };
      if (event.key === " " && event.target !== element("play")) { event.preventDefault(); this.toggle(); }
      if (moves[event.key] && event.target !== slider) this.seek(this.player.k + moves[event.key]);
    });
  }

  toggle() {
    this.player.play(!this.player.playing);
    this.buttons();
  }

  buttons() {
    element("play").textContent = this.player.playing ? "❚❚" : "▶";
    element("play").setAttribute("aria-label", this.player.playing ? "Pause" : "Play");
  }

  seek(k) {
    this.player.playing = false;
    this.player.follow = !this.player.finished && k >= this.player.last;
    return this.player.seek(k).catch((error) => this.say(error.message));
  }

  /** Show a frame with everything that is switched on. */
  async show(k, frame) {
    const { stage, settings, player, header } = this;
    const values = header.balls && settings.colour !== "none" ? await this.values(k, frame) : null;
    const chains = settings.chains ? await player.fetch("chains", k, (place) => this.source.chains(place)) : null;
    if (k !== player.k) return;
    stage.show(frame);
    stage.balls.paint(this.paint.colours(values, frame.radii.length));
    stage.balls.mark(settings.marks);
    stage.balls.fade(chains);
    stage.showChains(chains);
    stage.showReactions(settings.reactions);
    Object.assign(element("time"), { max: player.last, value: k });
    element("clock").textContent = `t = ${player.times[k].toPrecision(4)} s · ${k + 1} of ${player.times.length}`;
    this.plot.at(player.times[k]);
    this.shown = k;
    await this.tell();
  }

  /** What balls are coloured by; sizes and kinds are in the frame itself. */
  async values(k, frame) {
    const { colour } = this.settings;
    if (colour === "size") return frame.radii;
    if (colour === "kind") return frame.kinds;
    return this.player.fetch(colour, k, (place) => this.source.values(place, colour));
  }

  refresh() { return this.player.seek(this.player.k).catch((error) => this.say(error.message)); }

  recolour() {
    this.paint.by = this.settings.colour;
    this.paint.legend();
    return this.refresh();
  }

  async trace() {
    const { path } = this.settings;
    this.stage.showPath(path === "none" ? null : await this.source.trace(path), [0, 114, 178]);
  }

  async replot() {
    const name = this.settings.plot, series = name === "none" ? null : (await this.source.series())[name];
    this.plot.show(this.player.times, series);
    this.plot.at(this.player.times[this.player.k]);
  }

  async click(event) {
    const box = element("scene").getBoundingClientRect();
    const found = this.stage.pick(event.clientX - box.left, event.clientY - box.top);
    this.chosen = found && { what: found.what, id: found.what === "ball" ? this.stage.frame.numbers[found.place] : found.place };
    await this.tell();
  }

  /** Numbers of the body that was clicked, at the time that is shown. */
  async tell() {
    const { chosen } = this;
    if (!chosen) {
      element("about-name").textContent = "Click a body for its numbers";
      element("about-table").replaceChildren();
      return;
    }
    const place = chosen.what === "ball" ? this.stage.frame.numbers.indexOf(chosen.id) : chosen.id;
    const rows = place < 0 ? { name: `ball ${chosen.id}`, now: "not there" }
      : await this.source.about(this.player.k, chosen.what, place);
    element("about-name").textContent = rows.name;
    element("about-table").replaceChildren(...Object.entries(rows).filter(([key]) => key !== "name").map(([key, value]) => {
      const row = document.createElement("tr");
      row.append(...[key, value].map((text) => Object.assign(document.createElement("td"), { textContent: text })));
      return row;
    }));
  }

  say(text) { element("status").textContent = text; }

  /** Follow a run that is still going on. */
  async watch() {
    try {
      const state = await this.source.state();
      if (!state.finished) this.say(state.problem || `running: t = ${state.times.at(-1).toPrecision(4)} of ${state.until} s`);
      if (state.times.length !== this.player.times.length || state.finished) {
        const followed = this.player.grow(state);
        if (followed) await this.player.seek(this.player.last);
        element("time").max = this.player.last;
        await this.replot();
      }
      if (state.finished) this.say("finished");
      if (state.finished || state.problem) return;
    } catch (error) {
      this.say("The run is no longer served: start granum view again.");
      return;
    }
    setTimeout(() => this.watch(), 500);
  }
}

(async () => {
  try {
    const source = window.GRANUM_RUN ? await EmbeddedRun.open(window.GRANUM_RUN) : new ServedRun();
    window.granum = new Page(source, await source.header());
    await window.granum.start();
    document.body.dataset.ready = "yes";
  } catch (error) {
    element("status").textContent = `This run cannot be shown: ${error.message}`;
    throw error;
  }
})();
