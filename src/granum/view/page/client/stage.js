// What is seen: balls, solids, links, chains, arrows and paths of a frame, and the camera before them.

const INK = { body: 0x8fb3d0, joint: 0xe69f00, boundary: 0x9aa0a8, line: 0x303030 };
const CHAIN_COLOUR = [178, 24, 43], LINK_COLOUR = [64, 68, 74], ARROW_COLOUR = [213, 94, 0], BOND_COLOUR = [32, 32, 32];

class Stage {
  constructor(canvas, header) {
    this.header = header;
    this.flatly = header.dimension === 2;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false, preserveDrawingBuffer: true });
    this.renderer.setClearColor(0xf7f8fa);
    this.scene = new THREE.Scene();
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f98, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    sun.position.set(0.3, 0.5, 1.0);
    this.balls = new Spheres(this.flatly);
    this.links = new Ribbons(this.flatly, 2);
    this.chains = new Ribbons(this.flatly, 3, false);  // they run inside of the balls that they cross
    this.arrows = new Ribbons(this.flatly, 5);
    this.path = new Ribbons(this.flatly, 4);
    this.scene.add(this.balls.points, ...[this.balls, this.links, this.chains, this.arrows, this.path].map(({ mesh }) => mesh));
    this.makeCamera(canvas);
    this.camera.add(sun);
    this.scene.add(this.camera);
    this.stale = true;
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  makeCamera(canvas) {
    const far = 20 * this.size();
    this.camera = this.flatly ? new THREE.OrthographicCamera(-1, 1, 1, -1, 0.001 * far, far)
      : new THREE.PerspectiveCamera(35, 1, 0.0005 * far, far);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableRotate = !this.flatly;
    this.controls.zoomToCursor = true;
    if (this.flatly) this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
    this.controls.addEventListener("change", () => { this.stale = true; });
    this.view(this.flatly ? "fit" : "aslant");
  }

  size() {
    const [low, high] = this.header.box;
    return Math.hypot(...[0, 1, 2].map((a) => high[a] - low[a])) || 1;
  }

  /** Put the camera where it sees everything: aslant, or along an axis. */
  view(from) {
    const [low, high] = this.header.box, size = this.size();
    const middle = new THREE.Vector3(...[0, 1, 2].map((a) => 0.5 * (low[a] + high[a])));
    const sides = { aslant: [0.45, -1, 0.4], front: [0, -1, 0], side: [1, 0, 0], top: [0, -1e-4, 1], fit: [0, 0, 1] };
    const away = new THREE.Vector3(...sides[from]).normalize();
    this.camera.up.set(0, this.flatly ? 1 : 0, this.flatly ? 0 : 1);
    this.controls.target.copy(middle);
    const distance = this.flatly ? 2 * size : 0.52 * size / Math.sin(0.5 * this.camera.fov * Math.PI / 180);
    this.camera.position.copy(middle).addScaledVector(away, distance);
    if (this.flatly) this.camera.zoom = 1;
    this.controls.update();
    this.resize();
  }

  resize() {
    const canvas = this.renderer.domElement, { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    const [low, high] = this.header.box;
    if (this.flatly) {  // the box with a margin, whatever the shape of the window
      const half = 0.56 * Math.max((high[1] - low[1]) || 1e-9, ((high[0] - low[0]) || 1e-9) * height / width);
      Object.assign(this.camera, { left: -half * width / height, right: half * width / height, top: half, bottom: -half });
    } else {
      this.camera.aspect = width / height;
    }
    this.camera.updateProjectionMatrix();
    this.stale = true;
  }

  /** Meshes and lines of bodies and boundaries, each in its own axes. */
  addSolids(arrays) {
    this.solids = this.header.solids.map((solid, k) => {
      const group = new THREE.Group(), boundary = solid.kind === "boundary";
      const [vertices, faces, tones] = ["vertices", "faces", "tones"].map((what) => arrays[`${what}/${k}`]);
      if (faces.length) group.add(this.solidMesh(vertices, faces, tones, solid.kind));
      if (arrays[`lines/${k}`].length) {
        const lines = new THREE.BufferGeometry();
        lines.setAttribute("position", new THREE.BufferAttribute(arrays[`lines/${k}`], 3));
        const opacity = boundary && !this.flatly ? 0.5 : 1;
        const paint = new THREE.LineBasicMaterial({ color: INK.line, transparent: opacity < 1, opacity });
        group.add(new THREE.LineSegments(lines, paint));
      }
      group.userData = { solid: k, boundary };
      this.scene.add(group);
      return group;
    });
  }

  solidMesh(vertices, faces, tones, kind) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(vertices, 3));
    geometry.setIndex(new THREE.BufferAttribute(faces, 1));
    const flat = geometry.toNonIndexed();  // each face its own: edges stay sharp
    flat.computeVertexNormals();
    if (tones.length) {  // the second tone is darker
      const shades = Float32Array.from({ length: 9 * tones.length }, (_, k) => (tones[Math.floor(k / 9)] ? 0.55 : 1));
      flat.setAttribute("color", new THREE.BufferAttribute(shades, 3));
    }
    const glass = kind === "boundary" && !this.flatly;
    const paint = new THREE.MeshLambertMaterial({
      color: INK[kind], vertexColors: tones.length > 0, side: THREE.DoubleSide, transparent: glass, opacity: glass ? 0.13 : 1,
      depthWrite: !glass, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    const mesh = new THREE.Mesh(flat, paint);
    mesh.renderOrder = glass ? 10 : 0;
    return mesh;
  }

  showBoundaries(wanted) {
    for (const group of this.solids) if (group.userData.boundary) group.visible = wanted;
    this.stale = true;
  }

  /** Show a frame: places of balls, solids, links and reactions. */
  show(frame) {
    this.frame = frame;
    this.balls.place(frame);
    this.solids.forEach((group, k) => {
      const pose = frame.poses.subarray(7 * k, 7 * k + 7);
      group.position.set(pose[0], pose[1], pose[2]);
      group.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
    });
    const links = frame.links, count = links.length / 6;
    if (count) {
      const begin = new Float32Array(3 * count), end = new Float32Array(3 * count);
      for (let k = 0; k < count; k++) {
        begin.set(links.subarray(6 * k, 6 * k + 3), 3 * k);
        end.set(links.subarray(6 * k + 3, 6 * k + 6), 3 * k);
      }
      this.links.place(begin, end, new Float32Array(2 * count).fill(this.header.link_width), LINK_COLOUR);
    } else this.links.clear();
    this.stale = true;
  }

  /** Contact forces as bars between centres, as wide as they are strong. */
  showChains(chains) {
    if (!chains) this.chains.clear();
    else {
      const { positions } = this.frame, { pairs, walls, forces } = chains, count = forces.length;
      const begin = new Float32Array(3 * count), end = begin.slice(), widths = new Float32Array(2 * count);
      const balls = positions.length / 3;
      for (let k = 0; k < count; k++) {
        const i = 3 * pairs[2 * k], j = pairs[2 * k + 1];
        begin.set(positions.subarray(i, i + 3), 3 * k);
        end.set(j < balls ? positions.subarray(3 * j, 3 * j + 3) : walls.subarray(3 * (j - balls), 3 * (j - balls) + 3), 3 * k);
        widths[2 * k] = widths[2 * k + 1] = this.header.chain_width * Math.min(forces[k] / this.header.large_force, 1.5);
      }
      this.chains.place(begin, end, widths, CHAIN_COLOUR);
    }
    this.stale = true;
  }

  showReactions(wanted) {
    const { origins, vectors } = this.frame;
    if (!wanted || !origins.length) this.arrows.clear();
    else {
      const scale = 0.15 * this.size() / (this.header.largest_reaction || 1);
      const bars = arrowBars(origins, vectors, scale, 0.004 * this.size());
      this.arrows.place(bars.begin, bars.end, bars.widths, ARROW_COLOUR);
    }
    this.stale = true;
  }

  showPath(points, colour) {
    if (!points) this.path.clear();
    else {
      const bars = pathBars(points, 0.002 * this.size());
      this.path.place(bars.begin, bars.end, bars.widths, colour);
    }
    this.stale = true;
  }

  /** Draw if anything has changed. */
  draw() {
    if (!this.stale) return;
    this.stale = false;
    const height = this.renderer.domElement.clientHeight || 1;
    const pixel = this.flatly ? (this.camera.top - this.camera.bottom) / this.camera.zoom / height
      : 2 * Math.tan(0.5 * this.camera.fov * Math.PI / 180) / height;
    for (const bars of [this.links, this.path, this.arrows]) bars.least = 1.5 * pixel;
    this.chains.least = 0.3 * pixel;
    this.camera.updateMatrixWorld();
    this.balls.look(this.camera);
    this.balls.choose(this.renderer.getPixelRatio() / pixel, this.flatly ? 1 : this.camera.position.distanceTo(this.controls.target));
    this.renderer.render(this.scene, this.camera);
  }

  /** What is under a point of the canvas: {what: "ball" or "solid", place}, or nothing. */
  pick(x, y) {
    const canvas = this.renderer.domElement, caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(2 * x / canvas.clientWidth - 1, 1 - 2 * y / canvas.clientHeight), this.camera);
    const ball = nearestBall(caster.ray, this.frame);
    const bodies = this.solids.filter((group) => group.visible && !group.userData.boundary);
    const [solid] = caster.intersectObjects(bodies, true);
    if (solid && solid.distance < ball.distance) {
      let group = solid.object;
      while (group.userData.solid === undefined) group = group.parent;
      return { what: "solid", place: group.userData.solid };
    }
    return Number.isFinite(ball.distance) ? { what: "ball", place: ball.place } : null;
  }
}

function nearestBall(ray, { positions, radii }) {
  const { origin: o, direction: d } = ray, found = { distance: Infinity, place: -1 };
  for (let k = 0; k < radii.length; k++) {
    const x = positions[3 * k] - o.x, y = positions[3 * k + 1] - o.y, z = positions[3 * k + 2] - o.z;
    const along = x * d.x + y * d.y + z * d.z, aside = x * x + y * y + z * z - along * along;
    const distance = along - Math.sqrt(Math.max(radii[k] * radii[k] - aside, 0));
    if (aside <= radii[k] * radii[k] && distance > 0 && distance < found.distance) Object.assign(found, { distance, place: k });
  }
  return found;
}
