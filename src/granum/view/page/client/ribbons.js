// Links, force chains, arrows and paths: round bars of their own width, of which the side to the eye is drawn.

const RIBBON_VERTEX = `
uniform sampler2D begins, ends, colours;
uniform bool flatly; uniform float least;
out vec3 vColour; out float vAcross;
${CORNERS}
void main() {
  vec4 begin = texelFetch(begins, cell(), 0), end = texelFetch(ends, cell(), 0);
  vec2 at = corner();
  vec3 a = (modelViewMatrix * vec4(begin.xyz, 1.0)).xyz, b = (modelViewMatrix * vec4(end.xyz, 1.0)).xyz;
  vec3 along = b - a, p = mix(a, b, 0.5 + 0.5 * at.x);
  vec3 aside = cross(along, flatly ? vec3(0.0, 0.0, 1.0) : p);
  float size = length(aside);
  aside = size > 0.0 ? aside / size : vec3(0.0);
  float width = mix(begin.w, end.w, 0.5 + 0.5 * at.x);
  if (width > 0.0) width = max(width, least * (flatly ? 1.0 : length(p)));  // never thinner than a pixel or so
  vAcross = at.y; vColour = texelFetch(colours, cell(), 0).rgb;
  gl_Position = projectionMatrix * vec4(p + 0.5 * width * at.y * aside, 1.0);
}`;

const RIBBON_FRAGMENT = `
in vec3 vColour; in float vAcross; uniform bool flatly; out vec4 shown;
void main() {
  float across = abs(vAcross), round = flatly ? 1.0 : 1.0 - 0.5 * across * across;
  shown = vec4(vColour * round, flatly ? 1.0 - smoothstep(1.0 - fwidth(vAcross), 1.0, across) : 1.0);
}`;

class Ribbons extends Squares {
  constructor(flatly, lift, hidden = true) {
    super({ begins: "float", ends: "float", colours: "byte" }, new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: RIBBON_VERTEX, fragmentShader: RIBBON_FRAGMENT, side: THREE.DoubleSide,
      uniforms: { flatly: { value: flatly }, least: { value: 0 } }, depthTest: !flatly && hidden, transparent: flatly,
    }));
    this.mesh.renderOrder = lift;
    this.clear();
  }

  clear() { this.count = 0; }

  /** Show bars: ends (3 numbers each), widths (2 for each bar) and one colour for all. */
  place(begin, end, widths, colour) {
    const count = widths.length / 2;
    this.count = count;
    const begins = this.table("begins"), ends = this.table("ends"), colours = this.table("colours");
    for (let k = 0; k < count; k++) {
      for (let a = 0; a < 3; a++) {
        begins[4 * k + a] = begin[3 * k + a];
        ends[4 * k + a] = end[3 * k + a];
        colours[4 * k + a] = colour[a];
      }
      begins[4 * k + 3] = widths[2 * k];
      ends[4 * k + 3] = widths[2 * k + 1];
    }
  }

  /** The width below which no bar is drawn: about a pixel, which is as wide as its distance makes it. */
  set least(width) { this.mesh.material.uniforms.least.value = width; }
}

/** Arrows as two bars each: a shaft and a head that ends in a point. */
function arrowBars(origins, vectors, scale, width) {
  const count = origins.length / 3, begin = new Float32Array(6 * count), end = begin.slice();
  const widths = new Float32Array(4 * count);
  for (let k = 0; k < count; k++) {
    const tip = [0, 1, 2].map((a) => origins[3 * k + a] + scale * vectors[3 * k + a]);
    const length = scale * Math.hypot(vectors[3 * k], vectors[3 * k + 1], vectors[3 * k + 2]);
    const head = length > 0 ? Math.min(1, 4 * width / length) : 0;
    for (let a = 0; a < 3; a++) {
      const neck = tip[a] + head * (origins[3 * k + a] - tip[a]);
      begin[6 * k + a] = origins[3 * k + a]; end[6 * k + a] = neck;
      begin[6 * k + 3 + a] = neck; end[6 * k + 3 + a] = tip[a];
    }
    widths.set(length > 0 ? [width, width, 3 * width, 0] : [0, 0, 0, 0], 4 * k);
  }
  return { begin, end, widths };
}

/** Bars between the points of a path; where it has gaps there is none. */
function pathBars(points, width) {
  const begin = [], end = [], widths = [];
  for (let k = 0; k + 5 < points.length; k += 3) {
    const both = points.subarray(k, k + 6);
    if (both.every(Number.isFinite)) {
      begin.push(both[0], both[1], both[2]);
      end.push(both[3], both[4], both[5]);
      widths.push(width, width);
    }
  }
  return { begin, end, widths };
}
