// Bodies, joints and boundaries that are meshes: faces with sharp and round edges, and strokes along their lines.

const JOINT_COLOUR = 0xe69f00, SECOND_TONE = 0xe69f00, DRIVE_COLOUR = 0x1b9e77;
const SHARP = 0.72;  // cosine of the angle between faces from which on the edge between them is seen
const LAYERS = { boundary: 1, body: 4, joint: 7 }, RAIL = 3.6;

/** What is drawn of a solid: a group with its faces and lines, in its own axes. */
function solidGroup(solid, place, arrays, stage) {
  const group = new THREE.Group(), [vertices, faces, tones, points] = ["vertices", "faces", "tones", "lines"].map((what) => arrays[`${what}/${place}`]);
  const { flatly } = stage, boundary = solid.kind === "boundary", layer = LAYERS[solid.kind];
  group.userData = { ...solid, place };
  if (faces.length) {
    group.userData.faces = solidFaces(vertices, faces, tones, solid, stage);
    group.add(flatly ? layered(group.userData.faces, layer) : group.userData.faces);
  }
  if (points.length) {
    const width = faces.length || boundary ? 1.4 : solid.kind === "joint" ? 2 : 4;
    const lines = strokes(points, { colour: stage.colours.line, width: width * (boundary && flatly ? 1.4 : 1), halfWindow: stage.halfWindow,
      opacity: boundary && !flatly ? 0.45 : faces.length && !flatly ? 0.55 : 1 });
    group.userData.lines = lines;
    group.add(flatly ? layered(lines, solid.detail === "slider" ? RAIL : layer + 0.5) : lines);
  }
  return group;
}

/** In 2-D everything lies in one plane: what is drawn later is on top. */
function layered(mesh, layer) {
  Object.assign(mesh.material, { transparent: true, depthTest: false, depthWrite: false });
  mesh.renderOrder = layer;
  return mesh;
}

function solidFaces(vertices, faces, tones, solid, stage) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(vertices, 3));
  geometry.setIndex(new THREE.BufferAttribute(faces, 1));
  const apart = geometry.toNonIndexed();
  apart.setAttribute("normal", new THREE.BufferAttribute(creasedNormals(apart.getAttribute("position").array), 3));
  const own = new THREE.Color(stage.solidColour(solid)), second = new THREE.Color(solid.kind === "joint" ? DRIVE_COLOUR : SECOND_TONE);
  const colours = new Float32Array(3 * apart.getAttribute("position").count);
  for (let k = 0; k < colours.length / 9; k++) for (let c = 0; c < 3; c++) (tones[k] ? second : own).toArray(colours, 9 * k + 3 * c);
  apart.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  const glass = solid.kind === "boundary" && !stage.flatly;
  const mesh = new THREE.Mesh(apart, new THREE.MeshLambertMaterial({
    vertexColors: true, side: THREE.DoubleSide, transparent: glass, opacity: glass ? stage.glass : 1, depthWrite: !glass,
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  }));
  mesh.renderOrder = glass ? 10 : 0;
  return mesh;
}

/** Normals of the corners of triangles (9 numbers each): the mean over faces that meet there without a sharp edge. */
function creasedNormals(corners) {
  const count = corners.length / 9, flat = new Float32Array(3 * count), meeting = new Map(), normals = new Float32Array(corners.length);
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3(), sum = new THREE.Vector3(), one = new THREE.Vector3();
  const keys = Array.from({ length: 3 * count }, (_, k) => [0, 1, 2].map((i) => Math.fround(corners[3 * k + i]).toPrecision(6)).join());
  for (let k = 0; k < count; k++) {
    a.fromArray(corners, 9 * k);
    b.fromArray(corners, 9 * k + 3).sub(a);
    c.fromArray(corners, 9 * k + 6).sub(a);
    b.cross(c).normalize().toArray(flat, 3 * k);
    for (let i = 0; i < 3; i++) meeting.set(keys[3 * k + i], [...(meeting.get(keys[3 * k + i]) || []), k]);
  }
  for (let k = 0; k < 3 * count; k++) {
    a.fromArray(flat, 3 * Math.floor(k / 3));
    sum.set(0, 0, 0);
    for (const face of meeting.get(keys[k])) if (one.fromArray(flat, 3 * face).dot(a) > SHARP) sum.add(one);
    sum.normalize().toArray(normals, 3 * k);
  }
  return normals;
}
