// Numbers of many things on the graphics card: a row for each, read by the number of the thing that a corner belongs to.
// Instances would be the usual way, but cards made of software draw them one by one, a hundred times slower.

const TABLE_WIDTH = 2048;

const CORNERS = `
ivec2 cellOf(int thing) { return ivec2(thing % ${TABLE_WIDTH}, thing / ${TABLE_WIDTH}); }
ivec2 cell() { return cellOf(gl_VertexID / 4); }
vec2 corner() { return vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1); }`;

/** Squares of any number, each with four numbers in each of some tables: {name: "float", "byte" or "short"}. */
class Squares {
  constructor(kinds, material) {
    this.kinds = kinds;
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    for (const name of Object.keys(kinds)) material.uniforms[name] = { value: null };
    this.make(64);
  }

  /** How many there are; tables grow where they have no room for all. */
  set count(count) {
    this.things = count;
    if (count > this.capacity) this.make(Math.ceil(1.2 * count));
    this.mesh.geometry.setDrawRange(0, 6 * count);
    this.mesh.visible = count > 0;
  }

  get count() { return this.things; }

  make(capacity) {
    const rows = Math.ceil(capacity / TABLE_WIDTH), size = 4 * TABLE_WIDTH * rows;
    const made = {
      float: () => [new Float32Array(size), THREE.RGBAFormat, THREE.FloatType],
      byte: () => [new Uint8Array(size), THREE.RGBAFormat, THREE.UnsignedByteType],
      short: () => [new Int16Array(size), THREE.RGBAIntegerFormat, THREE.ShortType],
    };
    const { uniforms } = this.mesh.material;
    for (const [name, kind] of Object.entries(this.kinds)) {
      const [data, format, type] = made[kind]();
      uniforms[name].value?.dispose();
      uniforms[name].value = new THREE.DataTexture(data, TABLE_WIDTH, rows, format, type);
      uniforms[name].value.needsUpdate = true;  // a table that nothing was written to must be there all the same
    }
    this.capacity = TABLE_WIDTH * rows;
    this.mesh.geometry.dispose();
    this.mesh.geometry = numbered(4 * this.capacity);
    const order = new Uint32Array(6 * this.capacity);
    for (let k = 0; k < order.length; k++) order[k] = 4 * Math.floor(k / 6) + [0, 1, 2, 2, 1, 3][k % 6];
    this.mesh.geometry.setIndex(new THREE.BufferAttribute(order, 1));
  }

  /** The numbers of a table, to be written to; they go to the card before the next picture. */
  table(name) {
    const texture = this.mesh.material.uniforms[name].value;
    texture.needsUpdate = true;
    return texture.image.data;
  }
}

/** Corners that are told apart by their numbers alone. */
function numbered(count) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Uint8Array(count), 1));
  geometry.boundingSphere = new THREE.Sphere();
  return geometry;
}
