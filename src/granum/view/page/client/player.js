// Time: which frame is shown, how it goes on, and what is kept of frames that were asked for.

const KEPT_BYTES = 4e8, AHEAD = 6;

class Player {
  constructor(source, header, onFrame) {
    Object.assign(this, { source, onFrame, times: header.times, finished: header.finished });
    this.k = 0;
    this.playing = false;
    this.rate = this.usualRate();
    this.kept = new Map();
    this.bytes = 0;
    this.follow = !header.finished;  // a run that goes on is shown where it is
  }

  get last() { return this.times.length - 1; }

  /** Seconds of the run in a second of the viewer: a round number with which the whole takes about ten. */
  usualRate() { return roundRate(Math.round(3 * Math.log10((this.times[this.last] - this.times[0]) / 10 || 1))); }

  /** Speeds to choose from, around the usual one; real time is among them. */
  rates() {
    const usual = Math.round(3 * Math.log10(this.usualRate())), rates = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((step) => roundRate(usual + step));
    return rates.includes(1) ? rates : [...rates, 1].sort((a, b) => a - b);
  }

  /** Something of a frame, asked for once and kept while there is room. */
  fetch(what, k, ask) {
    const key = `${what}/${k}`;
    let found = this.kept.get(key);
    if (!found) {
      found = ask(k).then((arrays) => { this.remember(key, arrays); return arrays; });
      found.catch(() => this.kept.delete(key));
    }
    this.kept.delete(key);  // to the end: what was not asked for longest goes first
    this.kept.set(key, found);
    return found;
  }

  remember(key, arrays) {
    const all = ArrayBuffer.isView(arrays) ? [arrays] : Object.values(arrays);
    const size = all.reduce((sum, array) => sum + array.byteLength, 0);
    this.kept.get(key).size = size;
    this.bytes += size;
    for (const [old, promise] of this.kept) {
      if (this.bytes <= KEPT_BYTES || old === key) break;
      this.bytes -= promise.size || 0;
      this.kept.delete(old);
    }
  }

  frame(k) { return this.fetch("frame", k, (place) => this.source.frame(place)); }

  /** Show a frame. */
  async seek(k) {
    this.k = Math.max(0, Math.min(k, this.last));
    this.now = this.times[this.k];
    const wanted = this.k, arrays = await this.frame(wanted);
    if (wanted === this.k) await this.onFrame(wanted, arrays);
  }

  play(wanted) {
    this.playing = wanted;
    if (wanted && this.k >= this.last) this.k = 0;
    this.now = this.times[this.k];
    this.before = performance.now();
  }

  /** Go on to the frame whose time has come, once it is here: a slow machine shows fewer frames, not a later time. */
  async tick(clock) {
    if (!this.playing || this.busy) return;
    this.now += this.rate * (clock - this.before) / 1000;
    this.before = clock;
    let next = this.k;
    while (next < this.last && this.times[next + 1] <= this.now) next++;
    for (let k = next + 1; k <= Math.min(next + AHEAD, this.last); k++) this.frame(k);
    if (next !== this.k) {
      this.busy = true;
      const now = this.now;
      try { await this.seek(next); } finally { this.busy = false; }
      this.now = Math.max(now, this.times[this.k]);
      this.before = performance.now();
    }
    if (this.k >= this.last && this.finished) this.playing = false;
  }

  /** More frames of a run that goes on. */
  grow({ times, finished }) {
    const followed = this.follow && this.k >= this.last && !this.playing;
    this.times = times;
    this.finished = finished;
    return followed;
  }
}

/** ..., 0.1, 0.2, 0.5, 1, 2, 5, 10, ... by number; 1 has the number 0. */
function roundRate(number) {
  const digit = [1, 2, 5][((number % 3) + 3) % 3];
  return Number(`${digit}e${Math.floor(number / 3)}`);
}
