// What is seen: balls, solids, links, springs, chains, arrows and paths of a frame, and the camera before them.

const REST = 250, FINE = 2;  // milliseconds without a change after which a picture is drawn finely, and pixels for one then
const QUICK = 12, SLOW = 60;  // milliseconds of a fine picture up to which it is drawn in motion, and from which shading waits for rest
const TITLE = 44;  // pixels of the title above the picture

class Stage {
  constructor(canvas, header, onDraw) {
    Object.assign(this, { header, onDraw, flatly: header.dimension === 2, solids: [], colours: THEMES.light });
    THREE.ColorManagement.enabled = false;  // all colours are given as they are shown
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.scene = new THREE.Scene();
    this.halfWindow = { value: new THREE.Vector2(1, 1) };
    this.glass = header.grains ? 0.07 : 0.5;
    this.shading = this.flatly ? null : new Shading(header.balls ? 2.5 * header.chain_width : 0.04 * this.size());
    this.makeThings();
    this.makeCamera(canvas);
    this.makeLight();
    this.stale = true;
    this.fine = false;
    this.cost = Infinity;
    this.ratio = Math.min(window.devicePixelRatio, FINE);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  makeThings() {
    this.balls = new Spheres(this.flatly);
    this.balls.mesh.renderOrder = this.balls.points.renderOrder = 3;
    this.path = new Ribbons(this.flatly, 3.3);
    this.links = new Ribbons(this.flatly, 3.5);
    this.springs = new Ribbons(this.flatly, 3.7);  // they end inside of bodies
    this.chains = new Ribbons(this.flatly, 8, false);  // they run inside of the balls that they cross
    this.arrows = new Ribbons(this.flatly, 9);
    this.bars = [this.path, this.links, this.springs, this.chains, this.arrows];
    this.scene.add(this.balls.points, this.balls.mesh, ...this.bars.map(({ mesh }) => mesh));
  }

  makeLight() {  // as in the shader of balls: a sky, a ground and a sun behind the viewer's shoulder
    const sky = new THREE.HemisphereLight(0xffffff, this.flatly ? 0xffffff : 0x959595, Math.PI * (this.flatly ? 1 : 0.82));
    sky.position.set(0, 0, 1);
    this.scene.add(sky, this.camera);
    if (this.flatly) return;
    const sun = new THREE.DirectionalLight(0xffffff, 0.42 * Math.PI);
    sun.position.set(0.3, 0.5, 1.0);
    this.camera.add(sun);
  }

  makeCamera(canvas) {
    const far = 20 * this.size();
    this.camera = this.flatly ? new THREE.OrthographicCamera(-1, 1, 1, -1, 0.001 * far, far)
      : new THREE.PerspectiveCamera(35, 1, 0.0005 * far, far);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableRotate = !this.flatly;
    this.controls.zoomToCursor = true;
    if (this.flatly) {
      this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
      this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener("start", () => { this.from = null; });  // whoever moves the camera keeps it where it is
    this.controls.addEventListener("change", () => { this.stale = true; });
    this.view(this.flatly ? "fit" : "oblique");
  }

  size() {
    const [low, high] = this.header.box;
    return Math.hypot(...[0, 1, 2].map((a) => high[a] - low[a])) || 1;
  }

  /** Put the camera where it sees everything: from an oblique angle, or along an axis. */
  view(from) {
    const [low, high] = this.header.box, sides = { oblique: [0.45, -1, 0.4], front: [0, -1, 0], side: [1, 0, 0], top: [0, -1e-4, 1], fit: [0, 0, 1] };
    const middle = new THREE.Vector3(...[0, 1, 2].map((a) => 0.5 * (low[a] + high[a])));
    this.from = from;
    this.camera.up.set(0, this.flatly ? 1 : 0, this.flatly ? 0 : 1);
    this.controls.target.copy(middle);
    const away = new THREE.Vector3(...sides[from]).normalize();
    this.camera.position.copy(middle).addScaledVector(away, this.flatly ? 2 * this.size() : this.distance(away));
    if (this.flatly) this.camera.zoom = 1;
    this.controls.update();
    this.resize(false);
  }

  /** How far away the eye sees the whole box. */
  distance(away) {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement, [low, high] = this.header.box;
    const right = new THREE.Vector3().crossVectors(new THREE.Vector3(0, 0, 1), away).normalize();
    const up = new THREE.Vector3().crossVectors(away, right), tangent = Math.tan(0.5 * this.camera.fov * Math.PI / 180);
    const room = 0.04 * Math.max(...[0, 1, 2].map((a) => high[a] - low[a]));
    let far = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(...[0, 1, 2].map((a) => (k >> a & 1 ? 1 : -1) * (0.5 * (high[a] - low[a]) + room)));
      const needed = Math.max(Math.abs(corner.dot(up)) / tangent, Math.abs(corner.dot(right)) / tangent * (height || 1) / (width || 1));
      far = Math.max(far, needed * 1.08 + corner.dot(away));
    }
    return far;
  }

  /** The window has another size: as long as nobody has moved the camera, it shows everything there too. */
  resize(again = true) {
    const canvas = this.renderer.domElement, { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    this.setPixels(this.ratio || 1);
    const [low, high] = this.header.box;
    if (this.flatly) {  // the box with a margin and below the title, whatever the shape of the window
      const pixel = 1.06 * Math.max(((high[1] - low[1]) || 1e-9) / Math.max(height - TITLE, 1), ((high[0] - low[0]) || 1e-9) / width), half = 0.5 * pixel;
      Object.assign(this.camera, { left: -half * width, right: half * width, top: half * (height + TITLE), bottom: -half * (height - TITLE) });
    } else {
      this.camera.aspect = width / height;
      if (again && this.from) this.view(this.from);
    }
    this.camera.updateProjectionMatrix();
    this.stale = true;
  }

  setPixels(ratio) {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.halfWindow.value.set(0.5 * width, 0.5 * height);
  }

  /** Colours of light or dark. */
  setTheme(colours) {
    this.colours = colours;
    this.renderer.setClearColor(colours.paper);
    this.balls.uniforms.paper.value.setHex(colours.paper);
    for (const group of this.solids) {
      const { lines, faces, kind } = group.userData;
      if (lines) lines.material.uniforms.colour.value.setHex(colours.line);
      if (faces && kind === "boundary") faces.geometry.getAttribute("color").array.set(boundaryShade(faces, colours));
      if (faces && kind === "boundary") faces.geometry.getAttribute("color").needsUpdate = true;
    }
    this.stale = true;
  }

  solidColour({ kind, colour }) {
    if (kind === "boundary") return this.colours.boundary;
    return kind === "joint" ? JOINT_COLOUR : colour;
  }

  /** Meshes and lines of bodies and boundaries, each in its own axes. */
  addSolids(arrays) {
    this.solids = this.header.solids.map((solid, k) => solidGroup(solid, k, arrays, this));
    if (this.solids.length) this.scene.add(...this.solids);
  }

  showBoundaries(wanted) {
    for (const group of this.solids) if (group.userData.kind === "boundary") group.visible = wanted;
    this.stale = true;
  }

  /** Show a frame: places of balls, solids, links and springs. */
  show(frame) {
    this.frame = frame;
    this.balls.place(frame);
    this.solids.forEach((group, k) => {
      const pose = frame.poses.subarray(7 * k, 7 * k + 7);
      group.position.set(pose[0], pose[1], pose[2]);
      group.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
      group.updateMatrixWorld();
    });
    const { links } = frame, count = links.length / 6, begin = new Float32Array(3 * count), end = begin.slice();
    for (let k = 0; k < count; k++) {
      begin.set(links.subarray(6 * k, 6 * k + 3), 3 * k);
      end.set(links.subarray(6 * k + 3, 6 * k + 6), 3 * k);
    }
    this.links.place(begin, end, new Float32Array(2 * count).fill(this.header.link_width), this.colours.link);
    const bars = springBars(frame.springs, this.header.springs, this.header.spring_width, 0.8 * this.header.link_width, this.flatly);
    this.springs.place(bars.begin, bars.end, bars.widths, this.colours.spring);
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
      this.chains.place(begin, end, widths, this.colours.chain);
    }
    this.stale = true;
  }

  showReactions(wanted) {
    const { origins, vectors } = this.frame;
    if (!wanted || !origins.length) this.arrows.clear();
    else {
      const scale = 0.15 * this.size() / (this.header.largest_reaction || 1);
      const bars = arrowBars(origins, vectors, scale, 0.004 * this.size());
      this.arrows.place(bars.begin, bars.end, bars.widths, this.colours.arrow);
    }
    this.stale = true;
  }

  showPath(points) {
    if (!points) this.path.clear();
    else {
      const bars = pathBars(points, 1e-4 * this.size());  // as thin as it is seen
      this.path.place(bars.begin, bars.end, bars.widths, this.colours.path);
    }
    this.stale = true;
  }

  /** The sphere around something that was chosen, where it is now: {centre, radius}, or nothing. */
  around(thing) {
    const { frame } = this, { positions, radii, bodies } = frame;
    if (thing.what === "ball") {
      const centre = new THREE.Vector3(...meanPosition(frame, thing.id));
      let radius = 0;
      for (let k = bodies.indexOf(thing.id); k >= 0; k = bodies.indexOf(thing.id, k + 1)) {
        radius = Math.max(radius, centre.distanceTo(new THREE.Vector3().fromArray(positions, 3 * k)) + radii[k]);
      }
      return radius ? { centre, radius } : null;
    }
    if (thing.what === "line") {
      const [a, b] = [0, 1].map((end) => new THREE.Vector3().fromArray(frame[thing.list], 6 * thing.place + 3 * end));
      return { centre: a.add(b).multiplyScalar(0.5), radius: 0 };
    }
    const { position } = this.solids[thing.place];
    return Number.isFinite(position.x) ? { centre: position.clone(), radius: 0 } : null;
  }

  /** Show that a solid is chosen, or that none is. */
  highlight(thing) {
    this.solids.forEach((group, k) => {
      const chosen = thing && thing.what === "solid" && thing.place === k;
      if (group.userData.faces) group.userData.faces.material.emissive.setHex(chosen ? 0x30081c : 0);
      if (group.userData.lines) group.userData.lines.material.uniforms.colour.value.setHex(chosen ? 0xd6267f : this.colours.line);
    });
    this.stale = true;
  }

  /** Move the camera with something. */
  shift(by) {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.from = null;
    this.stale = true;
  }

  /** Metres of a pixel of the page, at a point or at the centre of the view. */
  pixelSize(at = this.controls.target) {
    const height = this.renderer.domElement.clientHeight || 1;
    if (this.flatly) return (this.camera.top - this.camera.bottom) / this.camera.zoom / height;
    const depth = this.camera.getWorldDirection(new THREE.Vector3()).dot(at.clone().sub(this.camera.position));
    return 2 * Math.tan(0.5 * this.camera.fov * Math.PI / 180) * Math.max(depth, 1e-9) / height;
  }

  /** Where a point is seen [pixels]. */
  onScreen(point) {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement, seen = point.clone().project(this.camera);
    return { x: 0.5 * (seen.x + 1) * width, y: 0.5 * (1 - seen.y) * height, there: Math.abs(seen.z) <= 1 };
  }

  /** Draw if anything has changed; what stays as it is for a while is drawn once more, with finer pixels. */
  draw(clock) {
    if (this.stale) {
      this.changed = clock;
      this.stale = false;
      this.fine = this.cost < QUICK;
      this.paint(this.fine ? FINE : this.ratio, this.cost < SLOW);
    } else if (!this.fine && clock - this.changed > REST) {
      this.fine = true;
      const begin = performance.now(), gl = this.renderer.getContext();
      this.paint(FINE, true);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));  // waits until it is drawn
      this.cost = performance.now() - begin;
    }
  }

  paint(ratio, shaded) {
    if (this.renderer.getPixelRatio() !== ratio) this.setPixels(ratio);
    const away = this.flatly ? 1 : this.camera.position.distanceTo(this.controls.target), pixel = this.pixelSize() / away;
    for (const bars of this.bars) bars.least = (bars === this.chains ? 0.3 : bars === this.path ? 2 : 1.5) * pixel;
    this.camera.updateMatrixWorld();
    this.balls.look(this.camera);
    this.balls.choose(ratio / pixel, away);
    if (this.shading && shaded) this.shading.draw(this.renderer, this.scene, this.camera);
    else this.renderer.render(this.scene, this.camera);
    this.onDraw();
  }
}

/** Colours of all corners of a boundary. */
function boundaryShade(faces, colours) {
  const shade = new THREE.Color(colours.boundary).toArray(), { count } = faces.geometry.getAttribute("color");
  return Float32Array.from({ length: 3 * count }, (_, k) => shade[k % 3]);
}
