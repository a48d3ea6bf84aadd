// What lies over the picture: a scale bar, and a ring around the body that was chosen.

const BAR_PIXELS = 110, LEAST_RING = 12;
const LENGTHS = [[1e3, "km"], [1, "m"], [1e-2, "cm"], [1e-3, "mm"], [1e-6, "µm"], [1e-9, "nm"]];

/** A length with a unit that leaves it between 1 and 1000 where there is one. */
function lengthText(metres) {
  const [unit, name] = LENGTHS.find(([size]) => metres >= 0.9999 * size) || LENGTHS.at(-1);
  return `${Number((metres / unit).toPrecision(3))} ${name}`;
}

/** The longest of 1, 2, 5, 10, ... that is not longer than this. */
function roundLength(metres) {
  const ten = 10 ** Math.floor(Math.log10(metres));
  return ten * [5, 2, 1].find((digit) => digit * ten <= 1.0001 * metres);
}

function showScale(stage) {
  const pixel = stage.pixelSize(), length = roundLength(BAR_PIXELS * pixel), text = lengthText(length);
  const where = stage.flatly ? "" : ", at the distance of the centre of the view";
  document.getElementById("scale-label").textContent = text;
  document.getElementById("scale-bar").style.width = `${length / pixel}px`;
  const scale = document.getElementById("scale");
  scale.title = `Scale: the bar is ${text} long${where}`;
  scale.setAttribute("aria-label", scale.title);
}

/** A ring around a sphere {centre, radius}, with a name; nothing hides it. */
function showRing(stage, around, name) {
  const ring = document.getElementById("halo");
  const seen = around && stage.onScreen(around.centre);
  ring.hidden = !seen || !seen.there;
  if (ring.hidden) return;
  const radius = Math.max(LEAST_RING, around.radius / stage.pixelSize(around.centre) + 3);
  Object.assign(ring.style, { width: `${2 * radius}px`, height: `${2 * radius}px`, transform: `translate(${seen.x - radius}px, ${seen.y - radius}px)` });
  document.getElementById("halo-name").textContent = name;
}
