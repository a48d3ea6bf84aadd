// Light or dark: as the system has it, until somebody chooses.

const THEMES = {
  light: { paper: 0xf7f8fa, line: 0x30343a, boundary: 0x9aa0a8, link: [64, 68, 74], spring: [90, 60, 140], path: [0, 114, 178], chain: [178, 24, 43], arrow: [178, 24, 43],
    axis: "#5b6470", grid: "#0000001c", now: "#202428" },
  dark: { paper: 0x14171a, line: 0xb9c0c8, boundary: 0x5c656f, link: [176, 182, 190], spring: [186, 160, 230], path: [92, 184, 240], chain: [240, 90, 90], arrow: [240, 90, 90],
    axis: "#a3acb7", grid: "#ffffff20", now: "#e6e9ed" },
};

class Theme {
  constructor(onChange) {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    this.onChange = onChange;
    this.apply(system.matches ? "dark" : "light");
    system.addEventListener("change", () => { if (!this.chosen) this.apply(system.matches ? "dark" : "light"); });
  }

  get colours() { return THEMES[this.name]; }

  toggle() {
    this.chosen = true;
    this.apply(this.name === "dark" ? "light" : "dark");
  }

  apply(name) {
    this.name = name;
    document.documentElement.dataset.theme = name;
    document.getElementById("theme").setAttribute("aria-pressed", String(name === "dark"));
    this.onChange(this.colours);
  }
}
