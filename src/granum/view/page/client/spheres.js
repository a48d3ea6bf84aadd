// Balls of any number: one square each, on which the card draws a true sphere (in the plane a disk) with its mark.

const SPHERE_VERTEX = `
precision highp isampler2D;
uniform sampler2D places, colours; uniform isampler2D turnings;
uniform bool flatly, dotted; uniform float pixels;
out vec3 vCentre, vPlace, vColour; out vec2 vCorner; out float vRadius; flat out vec4 vTurning;
${CORNERS}
void main() {
  ivec2 here = dotted ? cellOf(gl_VertexID) : cell();
  vec4 ball = texelFetch(places, here, 0);
  vec3 c = (modelViewMatrix * vec4(ball.xyz, 1.0)).xyz;
  vec3 u = vec3(1.0, 0.0, 0.0), v = vec3(0.0, 1.0, 0.0);
  vec2 at = dotted ? vec2(0.0) : corner();
  float radius = ball.w, size = radius;
  if (!flatly) {  // the square that the cone from the eye around the ball cuts out of the plane through its centre
    float d2 = dot(c, c);
    vec3 w = c * inversesqrt(d2);
    u = normalize(cross(w, abs(w.y) < 0.9 ? v : vec3(1.0, 0.0, 0.0)));
    v = cross(u, w);
    size = radius * sqrt(d2 / max(d2 - radius * radius, 1e-4 * d2));
  }
  vCentre = c; vPlace = c + size * (at.x * u + at.y * v);
  vColour = texelFetch(colours, here, 0).rgb; vCorner = at; vRadius = radius;
  vTurning = vec4(texelFetch(turnings, here, 0)) / 32767.0;
  gl_Position = projectionMatrix * vec4(vPlace, 1.0);
  gl_PointSize = 2.0 * size * pixels / (flatly ? 1.0 : -c.z);
}`;

const SPHERE_FRAGMENT = `
uniform mat4 projectionMatrix;
in vec3 vCentre, vPlace, vColour; in vec2 vCorner; in float vRadius; flat in vec4 vTurning;
uniform bool flatly, marked, dotted; uniform mat3 toWorld; uniform float pale, pixels; uniform vec3 paper;
out vec4 shown;
vec3 turnedBack(vec3 n) { return n + 2.0 * cross(cross(n, vTurning.xyz) + vTurning.w * n, vTurning.xyz); }
void main() {
  vec3 colour = mix(vColour, paper, pale), place = vPlace;
  vec2 at = vCorner;
  if (dotted) {
    at = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
    place += vRadius * vec3(at, 0.0);
  }
  if (flatly) {
    float rho = length(at), pixel = dotted ? 1.0 / (vRadius * pixels) : fwidth(rho);
    if (rho > 1.0) discard;
    float inner = 1.0 - min(0.1, 3.0 * pixel), rim = smoothstep(inner - pixel, inner, rho);
    if (marked) {  // a spoke that turns with the disk
      vec3 own = turnedBack(vec3(at, 0.0));
      float width = min(0.09, 3.0 * pixel);
      if (own.x > 0.0) rim = max(rim, 1.0 - smoothstep(width, width + pixel, abs(own.y)));
    }
    shown = vec4(mix(colour, 0.4 * colour, rim * (1.0 - 0.6 * pale)), 1.0 - smoothstep(1.0 - pixel, 1.0, rho));
    gl_FragDepth = gl_FragCoord.z;
    return;
  }
  vec3 ray = normalize(place);
  float b = dot(ray, vCentre);
  vec3 aside = vCentre - b * ray;
  float inside = vRadius * vRadius - dot(aside, aside);
  if (inside < 0.0) discard;
  vec3 hit = (b - sqrt(inside)) * ray, n = (hit - vCentre) / vRadius;
  if (marked) {  // the octants of a beach ball
    vec3 own = turnedBack(toWorld * n);
    colour *= own.x * own.y * own.z > 0.0 ? 1.0 : 0.72;
  }
  float sky = 0.5 + 0.5 * (toWorld * n).z, sun = max(dot(n, normalize(vec3(0.3, 0.5, 1.0))), 0.0);
  float light = mix(0.48, 0.82, sky) + 0.42 * sun;
  shown = vec4(colour * light + 0.10 * pow(max(dot(n, normalize(vec3(0.2, 0.4, 1.0))), 0.0), 24.0), 1.0);
  vec4 clip = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
}`;

const MANY_BALLS = 20000, SMALL_BALL = 16;

class Spheres extends Squares {
  constructor(flatly) {
    super({ places: "float", colours: "byte", turnings: "short" }, new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: SPHERE_VERTEX, fragmentShader: SPHERE_FRAGMENT,
      uniforms: { flatly: { value: flatly }, marked: { value: false }, toWorld: { value: new THREE.Matrix3() },
        pale: { value: 0 }, paper: { value: new THREE.Color(1, 1, 1) }, dotted: { value: false }, pixels: { value: 1 } },
      transparent: flatly, depthTest: !flatly,
    }));
    this.uniforms = this.mesh.material.uniforms;
    this.turned = false;
    this.points = new THREE.Points(this.mesh.geometry, this.mesh.material);
    this.points.frustumCulled = false;
  }

  /** Very many small balls are drawn as one point each, which is what a card made of software can still do quickly. */
  choose(pixels, distance) {
    const { count } = this, small = count && pixels * this.largest / distance < SMALL_BALL;
    const dotted = Boolean(small && count > MANY_BALLS);
    this.uniforms.pixels.value = pixels;
    this.uniforms.dotted.value = dotted;
    if (this.points.geometry.getAttribute("position")?.count !== this.capacity) this.points.geometry = numbered(this.capacity);
    this.points.geometry.setDrawRange(0, count);
    this.points.visible = dotted;
    this.mesh.visible = count > 0 && !dotted;
  }

  /** Show the balls of a frame. */
  place({ positions, radii, turning }) {
    this.count = radii.length;
    this.largest = 0;
    const places = this.table("places");
    for (let k = 0; k < radii.length; k++) {
      places[4 * k] = positions[3 * k];
      places[4 * k + 1] = positions[3 * k + 1];
      places[4 * k + 2] = positions[3 * k + 2];
      places[4 * k + 3] = radii[k];
      this.largest = Math.max(this.largest, radii[k]);
    }
    this.turned = turning !== undefined;
    if (this.turned) this.table("turnings").set(turning);
  }

  /** Give each ball its colour, 4 bytes each. */
  paint(colours) { this.table("colours").set(colours); }

  mark(wanted) { this.uniforms.marked.value = wanted && this.turned; }

  /** Paler balls leave room for what is drawn over them. */
  fade(wanted) { this.uniforms.pale.value = wanted ? 0.5 : 0; }

  /** How the camera is turned, which marks need. */
  look(camera) { this.uniforms.toWorld.value.setFromMatrix4(camera.matrixWorld); }
}
