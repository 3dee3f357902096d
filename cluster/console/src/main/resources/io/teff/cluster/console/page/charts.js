"use strict";
/* Charts of lines in SVG. No chart needs a colour to be read: lines differ by dashes, and the values are text. */
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 600;
  const HEIGHT = 120;

  function element(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    return made;
  }

  /** Returns a path with a gap wherever a value is missing. */
  function path(times, values, from, to, max) {
    let text = "";
    let isOpen = false;
    times.forEach((time, i) => {
      const value = values[i];
      if (value === null || value === undefined) {
        isOpen = false;
        return;
      }
      const x = to === from ? 0 : (time - from) / (to - from) * WIDTH;
      const y = HEIGHT - Math.min(value / max, 1) * HEIGHT;
      text += (isOpen ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1);
      isOpen = true;
    });
    return text;
  }

  function last(values) {
    for (let i = values.length - 1; i >= 0; i--) {
      if (values[i] !== null && values[i] !== undefined) {
        return values[i];
      }
    }
    return null;
  }

  /** Fills a figure: lines are {name, values}, format makes a text of a value. */
  window.drawChart = function drawChart(figure, title, times, lines, format, least) {
    const shown = lines.filter((line) => last(line.values) !== null);
    const caption = document.createElement("figcaption");
    caption.append(title);
    const now = document.createElement("span");
    now.className = "now";
    shown.forEach((line, i) => {
      const dot = document.createElement("span");
      dot.className = "dot c" + i;
      dot.setAttribute("aria-hidden", "true");
      now.append(dot, " " + (line.name ? line.name + " " : "") + format(last(line.values)) + (i + 1 < shown.length ? "  " : ""));
    });
    caption.append(now);
    figure.replaceChildren(caption);
    if (shown.length === 0 || times.length < 2) {
      const empty = document.createElement("p");
      empty.className = "empty";
      empty.textContent = "no figures yet";
      figure.append(empty);
      return;
    }
    const all = shown.flatMap((line) => line.values.filter((value) => value !== null));
    const max = Math.max(least || 0, ...all) || 1;
    const from = times[0];
    const to = times[times.length - 1];
    const svg = element("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img"});
    svg.setAttribute("aria-label", title + ": " + shown.map((line) => (line.name ? line.name + " " : "") + "now "
      + format(last(line.values)) + ", at most " + format(Math.max(...line.values.filter((value) => value !== null))))
      .join("; "));
    for (const part of [0, 0.5, 1]) {
      svg.append(element("line", {class: "grid", x1: 0, x2: WIDTH, y1: part * HEIGHT, y2: part * HEIGHT}));
    }
    shown.forEach((line, i) => svg.append(element("path", {class: "curve c" + i, d: path(times, line.values, from, to, max)})));
    const scale = document.createElement("div");
    scale.className = "scale";
    const begin = document.createElement("span");
    begin.textContent = new Date(from).toLocaleTimeString();
    const top = document.createElement("span");
    top.textContent = "top: " + format(max);
    const end = document.createElement("span");
    end.textContent = new Date(to).toLocaleTimeString();
    scale.append(begin, top, end);
    figure.append(svg, scale);
  };
})();
