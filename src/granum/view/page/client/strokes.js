// Edges of solids: lines as wide on the screen as they are told to be, whatever the distance and the pixels of the screen.

const STROKE_VERTEX = `
in vec3 other; in float side;
uniform vec2 half_window; uniform float width;
void main() {
  vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec4 there = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
  vec2 along = (there.xy / max(there.w, 1e-9) - here.xy / max(here.w, 1e-9)) * half_window;
  float size = length(along);
  vec2 aside = size > 0.0 ? vec2(-along.y, along.x) / size : vec2(0.0);
  gl_Position = here + vec4(0.5 * width * side * aside / half_window * here.w, 0.0, 0.0);
}`;

const STROKE_FRAGMENT = `
uniform vec3 colour; uniform float opacity; out vec4 shown;
void main() { shown = vec4(colour, opacity); }`;

/** A mesh of lines given by pairs of points (6 numbers each); `half_window` is shared by all. */
function strokes(points, { colour, width, opacity, halfWindow }) {
  const count = points.length / 6, position = new Float32Array(12 * count), other = position.slice();
  const side = new Float32Array(4 * count), order = new Uint32Array(6 * count);
  for (let k = 0; k < count; k++) {
    const begin = points.subarray(6 * k, 6 * k + 3), end = points.subarray(6 * k + 3, 6 * k + 6);
    [begin, begin, end, end].forEach((point, c) => position.set(point, 12 * k + 3 * c));
    [end, end, begin, begin].forEach((point, c) => other.set(point, 12 * k + 3 * c));
    side.set([1, -1, -1, 1], 4 * k);  // seen from the other end, sides change places
    order.set([0, 1, 2, 2, 1, 3].map((c) => 4 * k + c), 6 * k);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.setAttribute("other", new THREE.BufferAttribute(other, 3));
  geometry.setAttribute("side", new THREE.BufferAttribute(side, 1));
  geometry.setIndex(new THREE.BufferAttribute(order, 1));
  const mesh = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3, vertexShader: STROKE_VERTEX, fragmentShader: STROKE_FRAGMENT, side: THREE.DoubleSide,
    uniforms: { colour: { value: new THREE.Color(colour) }, width: { value: width }, opacity: { value: opacity }, half_window: halfWindow },
    transparent: opacity < 1,
  }));
  mesh.frustumCulled = false;
  mesh.userData.segments = points;
  return mesh;
}
