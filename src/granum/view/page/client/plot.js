// A plot of something over time, with a line at the time that is shown; a click on it goes there.

const SMALL = "11px system-ui, sans-serif";

class Plot {
  constructor(element, onSeek) {
    Object.assign(this, { element, onSeek, now: 0 });
  }

  show(times, series) {
    this.element.replaceChildren();
    this.element.hidden = !series;
    this.chart = null;
    if (!series) return;
    const unit = series.unit ? ` [${series.unit}]` : "", colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00"];
    const options = {
      width: 288, height: 170, title: series.label + unit, legend: { show: series.curves.length > 1, live: false },
      scales: { x: { time: false } }, axes: [{ label: "time [s]", size: 28, labelSize: 16, font: SMALL, labelFont: SMALL }, { size: 48, font: SMALL }],
      cursor: { drag: { x: false, y: false, click: () => {} } },  // a tap is no drag
      series: [{}, ...series.curves.map((curve, k) => ({ label: curve.label, stroke: colours[k % 5], width: 1.5 }))],
      hooks: { draw: [(chart) => this.cursor(chart)] },
    };
    this.chart = new uPlot(options, [times, ...series.curves.map((curve) => curve.values)], this.element);
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
    ctx.strokeStyle = "#202428";
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}
