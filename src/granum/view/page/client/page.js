// The page: a run, its stage, its time and the controls of all of it.

const element = (id) => document.getElementById(id);

const NOTHING_CHOSEN = "Click a body for its values", SMALL_SCREEN = "(max-width: 760px)";
const DRAG = 4, REACH = { mouse: 5, pen: 8, touch: 14 };  // pixels: from where on a click is a drag, and how far from a line it may be

class Page {
  constructor(source, header) {
    Object.assign(this, { source, header, chosen: null, following: false });
    this.paint = new Paint(header);
    this.stage = new Stage(element("scene"), header, () => this.overlay());
    this.plot = new Plot(element("plot"), (k) => this.seek(k));
    this.player = new Player(source, header, (k, frame) => this.show(k, frame));
    this.settings = {
      colour: header.colour, boundaries: true, chains: header.jammed, reactions: header.reactions, marks: true,
      plot: Object.keys(header.plots)[0] || "none",
    };
    this.pathOf = header.path === "none" ? null : header.path;
    document.title = element("title").textContent = header.title || "Granum";
  }

  async start() {
    this.stage.addSolids(await this.source.solids());
    this.theme = new Theme((colours) => this.recolourAll(colours));
    this.togglePanel(!window.matchMedia(SMALL_SCREEN).matches);
    this.controls();
    this.footer();
    this.buttons();
    this.paint.legend();
    this.listen();
    await this.player.seek(this.player.follow ? this.player.last : 0);
    await this.replot();
    await this.trace();
    const loop = (clock) => {
      this.player.tick(clock).catch((error) => this.say(error.message)).then(() => this.playButton());
      this.stage.draw(clock);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
    if (!this.header.finished) this.watch();
  }

  controls() {
    const gui = new lil.GUI({ container: element("controls"), title: "View", injectStyles: false }), { settings, header } = this;
    const choices = Object.fromEntries(Object.entries(header.quantities).map(([name, { label }]) => [label, name]));
    if (header.balls) {
      gui.add(settings, "colour", { ...choices, "one colour": "none" }).name("colour by").onChange(() => this.recolour());
    }
    if (header.turning) gui.add(settings, "marks").name("orientation marks").onChange(() => this.refresh());
    if (header.chains) gui.add(settings, "chains").name("force chains").onChange(() => this.refresh());
    if (header.reactions) gui.add(settings, "reactions").name("reaction forces").onChange(() => this.refresh());
    if (header.solids.some(({ kind }) => kind === "boundary")) {
      gui.add(settings, "boundaries").onChange((wanted) => this.stage.showBoundaries(wanted));
    }
    const plots = Object.fromEntries(Object.entries(header.plots).map(([name, label]) => [label, name]));
    gui.add(settings, "plot", { none: "none", ...plots }).onChange(() => this.replot());
    const views = header.dimension === 2 ? { "fit to window": "fit" }
      : { "oblique view": "oblique", "front view": "front", "side view": "side", "top view": "top" };
    const camera = gui.addFolder("Camera");
    for (const [label, from] of Object.entries(views)) camera.add({ [label]: () => this.stage.view(from) }, label);
    this.gui = gui;
  }

  footer() {
    const slider = element("time"), speed = element("speed");
    for (const rate of this.player.rates()) speed.add(new Option(`${rate}×`, rate, false, rate === this.player.rate));
    speed.title = "Seconds of the run in one second of yours";
    speed.addEventListener("change", () => { this.player.rate = Number(speed.value); });
    slider.addEventListener("input", () => this.seek(Number(slider.value)));
  }

  /** The next speed up or down the list. */
  faster(by) {
    const speed = element("speed");
    speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + by));
    this.player.rate = Number(speed.value);
  }

  buttons() {
    const press = { play: () => this.toggle(), theme: () => this.theme.toggle(), "help-open": () => this.help(), "panel-toggle": () => this.togglePanel(),
      clear: () => this.choose(null) };
    for (const [id, action] of Object.entries(press)) element(id).addEventListener("click", action);
    element("follow").addEventListener("change", (event) => this.followChosen(event.target.checked));
    element("path").addEventListener("change", (event) => {
      this.pathOf = event.target.checked ? this.chosen.name : null;
      this.trace();
    });
    fillHelp(this);
    listenToKeys(this);
    this.search = new Search(() => this.entries(), (thing, name) => this.choose(thing, name));
  }

  /** A click that is no drag chooses what is under it. */
  listen() {
    const canvas = element("scene");
    let down = null;
    canvas.addEventListener("pointerdown", (event) => { down = event.isPrimary ? event : null; });
    canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > DRAG || event.button) return;
      const box = canvas.getBoundingClientRect(), reach = REACH[event.pointerType] ?? REACH.mouse;
      this.choose(pickAt(this.stage, event.clientX - box.left, event.clientY - box.top, reach));
    });
  }

  help() { element("help").showModal(); }

  togglePanel(wanted = document.body.classList.contains("narrow")) {
    document.body.classList.toggle("narrow", !wanted);
    element("panel-toggle").setAttribute("aria-expanded", String(wanted));
    if (wanted && this.plot.series) this.plot.show(this.plot.times, this.plot.series);
  }

  openSearch() {
    this.togglePanel(true);
    element("find").focus();
  }

  /** All that can be found by name; bodies that are balls by the names of the run. */
  async entries() {
    const { header } = this;
    if (this.known?.frames === this.player.times.length) return this.known.entries;
    const { names, numbers } = await this.source.names(), meshes = new Set(header.solids.filter(({ kind }) => kind === "body").map(({ name }) => name));
    const entries = [
      ...header.solids.map(({ name, detail }, place) => ({ name, kind: detail, thing: { what: "solid", place } })).filter(({ name, kind }, place, all) => kind !== "gear" && kind !== "belt" || all.findIndex((one) => one.name === name && one.kind === kind) === place),
      ...["springs", "links"].flatMap((list) => header[list].map((one, place) => ({ name: one.name ?? one, kind: list.slice(0, -1), thing: { what: "line", list, place } }))),
      ...names.map((name, k) => ({ name, kind: "", thing: { what: "ball", id: numbers[k] } })).filter(({ name }) => !meshes.has(name)),
    ];
    this.known = { frames: this.player.times.length, entries };
    return entries;
  }

  /** Choose something, or nothing. */
  async choose(thing, name) {
    this.chosen = thing && { ...thing, name };
    this.stage.highlight(thing);
    this.followChosen(false);
    this.stage.stale = true;
    await this.tell();
  }

  followChosen(wanted) {
    this.following = Boolean(wanted && this.chosen);
    element("follow").checked = this.following;
    this.followed = this.following ? this.stage.around(this.chosen)?.centre : null;
    if (this.followed) this.stage.shift(this.followed.clone().sub(this.stage.controls.target));
  }

  /** Move the camera as far as the followed body has moved. */
  follow() {
    const now = this.following ? this.stage.around(this.chosen)?.centre : null;
    if (now && this.followed) this.stage.shift(now.clone().sub(this.followed));
    if (now) this.followed = now;
  }

  overlay() {
    showScale(this.stage);
    showRing(this.stage, this.chosen && this.stage.around(this.chosen), this.chosen?.name ?? "");
  }

  recolourAll(colours) {
    this.stage.setTheme(colours);
    this.plot.setTheme(colours);
    if (this.shown !== undefined) this.refresh().then(() => this.trace());
  }

  toggle() {
    this.player.play(!this.player.playing);
    this.playButton();
  }

  playButton() {
    const { playing } = this.player;
    element("play-icon").setAttribute("d", playing ? "M3 2h4v12H3zm6 0h4v12H9z" : "M4 2l10 6-10 6z");
    element("play").setAttribute("aria-label", playing ? "Pause" : "Play");
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
    this.clock(k);
    this.plot.at(player.times[k]);
    this.follow();
    this.shown = k;
    await this.tell();
  }

  clock(k) {
    const { times } = this.player, count = Object.assign(document.createElement("span"), { textContent: ` ${k + 1} / ${times.length}` });
    count.title = "Frame";
    element("clock").replaceChildren(`t = ${times[k].toPrecision(4)} s`, count);
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
    this.stage.showPath(this.pathOf ? await this.source.trace(this.pathOf) : null);
    element("path").checked = Boolean(this.pathOf && this.pathOf === this.chosen?.name);
  }

  async replot() {
    const name = this.settings.plot, series = name === "none" ? null : (await this.source.series())[name];
    this.plot.show(this.player.times, series);
    this.plot.at(this.player.times[this.player.k]);
  }

  /** Values of what was chosen, at the time that is shown. */
  async tell() {
    const { chosen } = this;
    element("about").classList.toggle("none", !chosen);
    element("about-tools").hidden = !chosen;
    const rows = chosen ? await this.aboutChosen() : { name: NOTHING_CHOSEN };
    if (chosen !== this.chosen) return;
    if (chosen) {
      chosen.name = rows.name;
      element("halo-name").textContent = rows.name;
      const body = chosen.what === "ball" || (chosen.what === "solid" && this.header.solids[chosen.place].kind === "body");
      element("path").parentElement.hidden = !body;
      element("path").checked = this.pathOf === rows.name;
    }
    element("about-name").textContent = rows.name;
    element("about-table").replaceChildren(...Object.entries(rows).filter(([key]) => key !== "name").map(([key, value]) => {
      const row = document.createElement("tr");
      row.append(...[key, value].map((text) => Object.assign(document.createElement("td"), { textContent: text })));
      return row;
    }));
  }

  aboutChosen() {
    const { what, place, list, id, name } = this.chosen, { header } = this;
    if (what === "line") return this.source.about(this.player.k, what, header[list][place].name ?? header[list][place]);
    const ball = what === "ball" ? this.stage.frame.bodies.indexOf(id) : place;
    return ball < 0 ? { name: name || "this body", now: "not in this frame" } : this.source.about(this.player.k, what, ball);
  }

  say(text) { element("status").textContent = text; }

  /** Follow a run that is still going on. */
  async watch() {
    try {
      const state = await this.source.state();
      if (!state.finished) this.say(state.problem || `running: t = ${state.times.at(-1).toPrecision(4)} s of ${state.until} s`);
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
