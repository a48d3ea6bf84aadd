// Springs as zigzags (in 3-D as coils) and dampers as dashpots between their ends, made of bars.

const TURNS = 7, STEPS = 12, LEAD = 0.12;

/** Bars of all springs of a frame: begins, ends and widths. */
function springBars(ends, springs, width, line, flatly) {
  const bars = { begin: [], end: [], widths: [] };
  springs.forEach((spring, k) => {
    const own = ends.subarray(6 * k, 6 * k + 6);
    if (!own.every(Number.isFinite)) return;
    const frame = springFrame(own);
    if (!frame) return;
    const both = spring.elastic && spring.damped, away = both ? 0.6 * width : 0;
    if (both) for (const at of [LEAD, 1 - LEAD]) addBar(bars, frame(at, away, 0), frame(at, -away, 0), line);
    for (const at of [0, 1 - LEAD]) addBar(bars, frame(at, 0, 0), frame(at + LEAD, 0, 0), line);
    if (spring.elastic) addPath(bars, coil(frame, away, 0.5 * width, flatly), line);
    if (spring.damped || !spring.elastic) addDashpot(bars, frame, -away, width, line);
  });
  return bars;
}

/** Points along the line between two ends: (part of the way, aside, upward) to x, y, z. */
function springFrame(own) {
  const a = new THREE.Vector3(own[0], own[1], own[2]), along = new THREE.Vector3(own[3], own[4], own[5]).sub(a);
  if (!along.length()) return null;
  const z = new THREE.Vector3(0, 0, 1), e = along.clone().normalize();
  const aside = new THREE.Vector3().crossVectors(z, e);
  if (aside.length() < 0.1) aside.set(1, 0, 0);
  aside.normalize();
  const up = new THREE.Vector3().crossVectors(e, aside);
  return (part, u, v) => a.clone().addScaledVector(along, part).addScaledVector(aside, u).addScaledVector(up, v);
}

function coil(frame, away, radius, flatly) {
  const path = [frame(LEAD, away, 0)], room = 1 - 2 * LEAD;
  if (flatly) {
    for (let k = 0; k < 2 * TURNS; k++) path.push(frame(LEAD + room * (k + 0.5) / (2 * TURNS), away + (k % 2 ? -radius : radius), 0));
  } else {
    for (let k = 0; k <= TURNS * STEPS; k++) {
      const angle = 2 * Math.PI * k / STEPS;
      path.push(frame(LEAD + room * k / (TURNS * STEPS), away + radius * Math.cos(angle), radius * Math.sin(angle)));
    }
  }
  return [...path, frame(1 - LEAD, away, 0)];
}

/** A cylinder with a rod that goes into it. */
function addDashpot(bars, frame, away, width, line) {
  addBar(bars, frame(LEAD, away, 0), frame(0.38, away, 0), line);
  addBar(bars, frame(0.38, away, 0), frame(0.66, away, 0), 0.7 * width);
  addBar(bars, frame(0.66, away, 0), frame(1 - LEAD, away, 0), line);
}

function addPath(bars, points, width) {
  for (let k = 0; k + 1 < points.length; k++) addBar(bars, points[k], points[k + 1], width);
}

function addBar({ begin, end, widths }, a, b, width) {
  begin.push(a.x, a.y, a.z);
  end.push(b.x, b.y, b.z);
  widths.push(width, width);
}
