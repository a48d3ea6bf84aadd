// Depth in 3-D: corners and crevices, which less light reaches, are darker. The scene is drawn into a texture with its depth; from this
// the part of the sky that each point sees is estimated at half the resolution, after McGuire, Mara and Luebke (Scalable Ambient
// Obscurance, 2012) with few samples, and the picture is multiplied by it.

const SCREEN_VERTEX = `
void main() { gl_Position = vec4(4.0 * float(gl_VertexID & 1) - 1.0, 2.0 * float(gl_VertexID & 2) - 1.0, 0.0, 1.0); }`;

const OBSCURANCE_FRAGMENT = `
precision highp sampler2D;
uniform sampler2D depths; uniform vec2 window; uniform vec2 slope; uniform float near, far, reach;
out vec4 shown;
const int SAMPLES = 9;
float away(ivec2 at) {
  float depth = texelFetch(depths, clamp(at, ivec2(0), ivec2(window) - 1), 0).r;
  return near * far / (far - (far - near) * depth);
}
vec3 point(ivec2 at, float z) { return vec3((2.0 * (vec2(at) + 0.5) / window - 1.0) * slope * z, -z); }
vec3 least(vec3 a, vec3 b) { return dot(a, a) < dot(b, b) ? a : b; }
void main() {
  ivec2 at = 2 * ivec2(gl_FragCoord.xy);
  float z = away(at);
  shown = vec4(1.0);
  if (z > 0.98 * far) return;
  vec3 here = point(at, z);
  ivec2 x = ivec2(2, 0), y = ivec2(0, 2);  // the nearer neighbours: a difference across an edge is no slope
  vec3 dx = least(point(at + x, away(at + x)) - here, here - point(at - x, away(at - x)));
  vec3 dy = least(point(at + y, away(at + y)) - here, here - point(at - y, away(at - y)));
  vec3 normal = normalize(cross(dx, dy));
  float pixels = clamp(reach / z * 0.5 * window.y / slope.y, 4.0, 0.12 * window.y);
  ivec2 own = ivec2(gl_FragCoord.xy) & 3;
  float begin = float((own.x * 7 + own.y * 11 + own.x * own.y * 5) & 15) / 16.0, sum = 0.0;
  for (int k = 0; k < SAMPLES; k++) {
    float part = (float(k) + begin) / float(SAMPLES), angle = 6.2832 * (begin + 2.0 * part * 1.618);
    ivec2 there = at + ivec2(pixels * sqrt(part) * vec2(cos(angle), sin(angle)));
    vec3 v = point(there, away(there)) - here;
    float square = dot(v, v), fall = max(1.0 - square / (reach * reach), 0.0);
    sum += fall * fall * max(dot(v, normal) - 0.004 * z, 0.0) * inversesqrt(square + 1e-4 * reach * reach);
  }
  shown = vec4(vec3(clamp(1.0 - 1.5 * sum / float(SAMPLES), 0.4, 1.0)), 1.0);
}`;

const SHADED_FRAGMENT = `
uniform sampler2D picture, shade; uniform vec2 window;
out vec4 shown;
void main() {
  vec2 at = gl_FragCoord.xy / window, step = 2.0 / window;
  float light = 0.0;  // four means of four: noise repeats every four pixels
  for (int k = 0; k < 4; k++) light += texture(shade, at + step * (vec2(k & 1, k >> 1) * 2.0 - 1.0)).r;
  shown = vec4(texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb * 0.25 * light, 1.0);
}`;

class Shading {
  /** `reach` [m]: how far around a point is looked for what takes its light. */
  constructor(reach) {
    const pass = (fragmentShader, uniforms) => new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: SCREEN_VERTEX, fragmentShader, uniforms, depthTest: false, depthWrite: false });
    const nearest = { minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter };
    this.picture = new THREE.WebGLRenderTarget(1, 1, { ...nearest, depthTexture: new THREE.DepthTexture(1, 1) });
    this.shade = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: false });
    const window = { value: new THREE.Vector2() };
    this.obscure = pass(OBSCURANCE_FRAGMENT, { depths: { value: this.picture.depthTexture }, window, slope: { value: new THREE.Vector2() },
      near: { value: 0 }, far: { value: 0 }, reach: { value: reach } });
    this.compose = pass(SHADED_FRAGMENT, { picture: { value: this.picture.texture }, shade: { value: this.shade.texture }, window });
    this.screen = new THREE.Mesh(numbered(3), this.obscure);
    this.screen.frustumCulled = false;
    this.stage = new THREE.Scene().add(this.screen);
    this.eye = new THREE.OrthographicCamera();
  }

  draw(renderer, scene, camera) {
    const { window, slope, near, far } = this.obscure.uniforms, size = renderer.getDrawingBufferSize(window.value);
    this.picture.setSize(size.x, size.y);
    this.shade.setSize(Math.ceil(0.5 * size.x), Math.ceil(0.5 * size.y));
    const tangent = Math.tan(0.5 * camera.fov * Math.PI / 180);
    slope.value.set(tangent * camera.aspect, tangent);
    near.value = camera.near;
    far.value = camera.far;
    renderer.setRenderTarget(this.picture);
    renderer.render(scene, camera);
    for (const [material, target] of [[this.obscure, this.shade], [this.compose, null]]) {
      this.screen.material = material;
      renderer.setRenderTarget(target);
      renderer.render(this.stage, this.eye);
    }
  }
}
