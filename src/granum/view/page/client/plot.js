// A plot of something over time, with a line at the time that is shown; a click on it goes there.

const SMALL = "11px system-ui, sans-serif", CURVES = ["#0086d1", "#D55E00", "#009E73", "#CC79A7", "#E69F00"];

class Plot {
  constructor(element, onSeek) {
    Object.assign(this, { element, onSeek, now: 0, colours: THEMES.light });
  }

  /** Colours of light or dark. */
  setTheme(colours) {
    this.colours = colours;
    if (this.series) this.show(this.times, this.series);
  }

  show(times, series) {
    Object.assign(this, { times, series });
    this.element.replaceChildren();
    this.element.hidden = !series;
    this.chart = null;
    if (!series) return;
    const unit = series.unit ? ` [${series.unit}]` : "";
    const { axis, grid } = this.colours, look = { stroke: axis, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    const options = {
      width: Math.max(200, this.element.clientWidth || 288), height: 170, title: series.label + unit, legend: { show: series.curves.length > 1, live: false },
      scales: { x: { time: false } },
      axes: [{ ...look, label: "time [s]", size: 28, labelSize: 16, font: SMALL, labelFont: SMALL }, { ...look, size: 52, font: SMALL }],
      cursor: { drag: { x: false, y: false, click: () => {} } },  // a tap is no drag
      series: [{}, ...series.curves.map((curve, k) => ({ label: curve.label, stroke: CURVES[k % 5], width: 1.5 }))],
      hooks: { draw: [(chart) => this.cursor(chart)] },
    };
    this.chart = new uPlot(options, [times, ...series.curves.map((curve) => curve.values.slice(0, times.length))], this.element);
    this.chart.over.addEventListener("click", (event) => {
      const t = this.chart.posToVal(event.clientX - this.chart.over.getBoundingClientRect().left, "x");
      const far = (k) => Math.abs(times[k] - t);
      this.onSeek(times.reduce((best, _, k) => (far(k) < far(best) ? k : best), 0));
    });
  }

  at(t) {
    this.now = t;
    if (this.chart) this.chart.redraw(false, false);
  }

  cursor(chart) {
    const x = Math.round(chart.valToPos(this.now, "x", true)), { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = this.colours.now;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}
