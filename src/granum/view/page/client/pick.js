// What is under a point of the canvas. Faces and balls count where they are hit; lines and small balls within some pixels, because
// nobody hits a line. In 3-D the nearest to the eye wins, in 2-D what is drawn on top.

const ON_TOP = { boundary: 0, ball: 1, body: 2, joint: 4 }, LINE_ON_TOP = 3, ON_LINE = 2.5;

/** {what: "ball", id}, {what: "solid", place} or {what: "line", list, place}, or nothing; `reach` in pixels. */
function pickAt(stage, x, y, reach) {
  const { clientWidth: width, clientHeight: height } = stage.renderer.domElement, caster = new THREE.Raycaster();
  caster.setFromCamera(new THREE.Vector2(2 * x / width - 1, 1 - 2 * y / height), stage.camera);
  const screen = (point) => {
    const distance = point.distanceTo(stage.camera.position), seen = point.project(stage.camera);
    return { x: 0.5 * (seen.x + 1) * width - x, y: 0.5 * (1 - seen.y) * height - y, distance, there: Math.abs(seen.z) <= 1 };
  };
  const hit = best([...hitBalls(caster.ray, stage.frame), ...hitSolids(caster, stage)], stage.flatly);
  const line = best(nearLines(stage, screen, reach), stage.flatly);
  const over = line && hit && (stage.flatly ? line.top > hit.top && line.apart <= ON_LINE : line.distance < hit.distance);
  const found = over ? line : hit || line || best(nearBalls(stage, screen, reach), true);
  return found ? found.thing : null;
}

/** The one on top, then the one that the pointer is nearest to, then the nearest to the eye; in 3-D the last comes first. */
function best(candidates, flatly) {
  const order = flatly ? ["top", "apart", "distance"] : ["distance", "apart", "top"], sign = { top: -1, apart: 1, distance: 1 };
  return candidates.reduce((a, b) => {
    if (!a) return b;
    const key = order.find((name) => a[name] !== b[name]);
    return key && sign[key] * (b[key] - a[key]) < 0 ? b : a;
  }, null);
}

function hitBalls({ origin: o, direction: d }, { positions, radii, bodies }) {
  const found = { distance: Infinity };
  for (let k = 0; k < radii.length; k++) {
    const x = positions[3 * k] - o.x, y = positions[3 * k + 1] - o.y, z = positions[3 * k + 2] - o.z;
    const along = x * d.x + y * d.y + z * d.z, aside = x * x + y * y + z * z - along * along;
    const distance = along - Math.sqrt(Math.max(radii[k] * radii[k] - aside, 0));
    if (aside <= radii[k] * radii[k] && distance > 0 && distance < found.distance) Object.assign(found, { distance, k });
  }
  return found.k === undefined ? [] : [{ thing: { what: "ball", id: bodies[found.k] }, distance: found.distance, top: ON_TOP.ball, apart: 0 }];
}

/** Glass around everything in 3-D is no body: it would answer for the empty space before it. */
function pickable(stage) {
  return stage.solids.filter((group) => group.visible && (stage.flatly || group.userData.kind !== "boundary"));
}

function hitSolids(caster, stage) {
  return pickable(stage).flatMap((group) => {
    const [hit] = group.userData.faces ? caster.intersectObject(group.userData.faces, false) : [];
    return hit ? [{ thing: { what: "solid", place: group.userData.place }, distance: hit.distance, top: ON_TOP[group.userData.kind], apart: 0 }] : [];
  });
}

function nearLines(stage, screen, reach) {
  const { header, frame } = stage, found = [];
  const look = (a, b, thing, top) => {
    const near = nearSegment(screen(a), screen(b));
    if (near && near.apart <= reach) found.push({ thing, top, ...near });
  };
  const end = (points, k) => new THREE.Vector3().fromArray(points, 3 * k);
  for (const list of ["links", "springs"]) {
    const count = Math.min(header[list].length, frame[list].length / 6);
    for (let k = 0; k < count; k++) look(end(frame[list], 2 * k), end(frame[list], 2 * k + 1), { what: "line", list, place: k }, LINE_ON_TOP);
  }
  for (const group of pickable(stage)) {
    const { lines, faces, place, kind } = group.userData;
    if (!lines || faces) continue;  // edges of something solid are hit with it
    const points = lines.userData.segments, top = kind === "boundary" ? ON_TOP.boundary : ON_TOP[kind] + 0.5;
    for (let k = 0; k < points.length / 6; k++) {
      look(end(points, 2 * k).applyMatrix4(group.matrixWorld), end(points, 2 * k + 1).applyMatrix4(group.matrixWorld), { what: "solid", place }, top);
    }
  }
  return found;
}

/** How far the pointer is from a segment on the screen [pixels], and how far the segment is from the eye there. */
function nearSegment(a, b) {
  if (!a.there || !b.there) return null;
  const x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
  const part = square > 0 ? Math.max(0, Math.min(1, -(a.x * x + a.y * y) / square)) : 0;
  return { apart: Math.hypot(a.x + part * x, a.y + part * y), distance: a.distance + part * (b.distance - a.distance) };
}

function nearBalls({ frame: { positions, radii, bodies } }, screen, reach) {
  const found = { apart: reach };
  for (let k = 0; k < radii.length; k++) {
    const seen = screen(new THREE.Vector3().fromArray(positions, 3 * k)), apart = Math.hypot(seen.x, seen.y);
    if (seen.there && apart < found.apart) Object.assign(found, { apart, k, distance: seen.distance });
  }
  return found.k === undefined ? [] : [{ thing: { what: "ball", id: bodies[found.k] }, top: ON_TOP.ball, ...found }];
}
