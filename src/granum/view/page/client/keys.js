// Keys of the page, and the list of them that ? shows.

/** Keys with what they do: [keys, label, meaning, action]. */
function keysOf(page) {
  const step = (by) => () => page.seek(page.player.k + by), flat = page.header.dimension === 2;
  const views = flat ? [] : ["oblique", "front", "side", "top"];
  return [
    [[" "], "Space", "play or pause", () => page.toggle()],
    [["ArrowLeft"], "←", "previous frame (Shift: ten frames)", step(-1), step(-10)],
    [["ArrowRight"], "→", "next frame (Shift: ten frames)", step(1), step(10)],
    [["Home"], "Home", "first frame", () => page.seek(0)],
    [["End"], "End", "last frame", () => page.seek(page.player.last)],
    [["+", "="], "+", "faster", () => page.faster(1)],
    [["-"], "−", "slower", () => page.faster(-1)],
    [["f"], "F", "fit everything into the view", () => page.stage.view(flat ? "fit" : "oblique")],
    ...views.map((view, k) => [[String(k + 1)], String(k + 1), `${view} view`, () => page.stage.view(view)]),
    [["c"], "C", "camera follows the selected body", () => page.followChosen(!page.following)],
    [["/"], "/", "find a body by name", () => page.openSearch()],
    [["p"], "P", "show or hide the controls", () => page.togglePanel()],
    [["d"], "D", "dark or light", () => page.theme.toggle()],
    [["Escape"], "Esc", "clear the selection", () => page.choose(null)],
    [["?"], "?", "this list", () => page.help()],
  ];
}

function gesturesOf(header) {
  const drag = header.dimension === 2 ? "move" : "rotate; right button: move";
  const finger = header.dimension === 2 ? "one finger moves" : "one finger rotates, two fingers move";
  return [["Click, tap", "select a body and show its values"], ["Drag", drag], ["Wheel", "zoom"], ["Touch", `${finger}, pinch zooms`]];
}

function listenToKeys(page) {
  const known = new Map(keysOf(page).flatMap(([keys, , , action, shifted]) => keys.map((key) => [key, { action, shifted }])));
  window.addEventListener("keydown", (event) => {
    const slider = event.target.id === "time", own = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
    if (event.target.matches("input:not([type=range], [type=checkbox]), select") || (slider && own)) return;
    if (event.key === " " && event.target.matches("button, [type=checkbox]")) return;
    const found = known.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!found) return;
    event.preventDefault();
    (event.shiftKey && found.shifted ? found.shifted : found.action)();
  });
}

function fillHelp(page) {
  const rows = [...keysOf(page).map(([, label, meaning]) => [label, meaning]), ...gesturesOf(page.header)];
  document.getElementById("help-list").replaceChildren(...rows.flatMap(([label, meaning]) => [
    Object.assign(document.createElement("dt"), { textContent: label }), Object.assign(document.createElement("dd"), { textContent: meaning }),
  ]));
}
