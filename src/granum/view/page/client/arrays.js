// Arrays in one block of bytes: the length of a description, the description, then each array at a multiple of 8.

const ARRAY_TYPES = {
  f4: Float32Array, f8: Float64Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i2: Int16Array, i4: Int32Array,
};

/** Arrays by name, of a block that starts at a place of a buffer. */
function unpackArrays(buffer, begin = 0) {
  const length = new DataView(buffer).getUint32(begin, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, begin + 4, length));
  const found = {};
  for (const entry of JSON.parse(text)) {
    const count = entry.shape.reduce((a, b) => a * b, 1);
    const stored = new ARRAY_TYPES[entry.type](buffer, begin + entry.offset, count);
    found[entry.name] = entry.scale ? restored(stored, entry) : stored;
  }
  return found;
}

/** Numbers from the whole numbers they were rounded to: low + step * k, for each column its own. */
function restored(stored, entry) {
  const columns = entry.scale.length, numbers = new Float32Array(stored.length);
  for (let k = 0; k < stored.length; k++) numbers[k] = entry.low[k % columns] + entry.scale[k % columns] * stored[k];
  return numbers;
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
