"use strict";
// Tooltips of charts, heat maps and the tech tree. Everything is drawn without this script.
(() => {
  const tip = document.getElementById("tip");

  function show(event, lines) {
    tip.replaceChildren(...lines.map(([text, color]) => {
      const row = document.createElement("div");
      if (color !== undefined) {
        const key = document.createElement("i");
        key.className = `key s${color}`;
        row.append(key);
      }
      row.append(text);
      return row;
    }));
    tip.style.display = "block";
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const left = Math.max(8, Math.min(event.clientX + 14, room));
    const below = event.clientY + 18;
    const isLow = below + tip.offsetHeight > window.innerHeight;
    tip.style.left = `${left}px`;
    tip.style.top = `${isLow ? Math.max(4, event.clientY - tip.offsetHeight - 14) : below}px`;
  }

  let unmark = () => {};

  function hide() {
    tip.style.display = "none";
    unmark();
  }

  // `move` shows what is under the pointer; `leave` takes away what it drew besides the tip.
  function follow(element, move, leave) {
    const see = (event) => { unmark = leave; move(event); };
    element.addEventListener("pointermove", see);
    element.addEventListener("pointerdown", see);
    // A finger that is lifted leaves at once; what it showed stays until the next touch.
    element.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") hide();
    });
  }

  function number(value) {
    return Number(value.toPrecision(4)).toLocaleString("en-US", { maximumSignificantDigits: 4 });
  }

  function nearest(values, wanted) {
    let low = 0;
    let high = values.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (values[middle] > wanted) high = middle; else low = middle;
    }
    return wanted - values[low] < values[high] - wanted ? low : high;
  }

  function share(event, box) {
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]
      .map((part) => Math.min(1, Math.max(0, part)));
  }

  for (const chart of document.querySelectorAll(".chart")) {
    const plot = chart.querySelector(".plot");
    const cursor = chart.querySelector(".cursor");
    const data = JSON.parse(chart.querySelector("script").textContent);
    follow(plot, (event) => {
      const box = plot.querySelector("svg").getBoundingClientRect();
      const x = share(event, box)[0] * Number(plot.dataset.end);
      cursor.style.display = "block";
      cursor.style.left = `${100 * x / Number(plot.dataset.end)}%`;
      const rows = data.lines.map((line) => {
        const index = nearest(line.x, x);
        const value = line.y[index];
        if (value === null || x > line.x[line.x.length - 1] * 1.02) return null;
        const band = line.low && line.low[index] !== null
          ? ` (${number(line.low[index])} to ${number(line.high[index])})` : "";
        const place = line.dotted ? ` at ${line.x[index].toLocaleString("en-US")}` : "";
        return [`${line.label}${place}: ${number(value)}${band}`, line.color];
      });
      const head = `${Math.round(x).toLocaleString("en-US")} ${data.x}`;
      show(event, [[head], ...rows.filter((row) => row !== null)]);
    }, () => { cursor.style.display = "none"; });
  }

  for (const map of document.querySelectorAll(".map")) {
    const { columns, end, high, power, digits, values } = map.dataset;
    const levels = atob(values);
    const rowCount = levels.length / Number(columns);
    const names = JSON.parse(document.getElementById("goal-names").textContent);
    const crosshair = map.querySelector(".crosshair");
    follow(map, (event) => {
      const [x, y] = share(event, map.getBoundingClientRect());
      const column = Math.min(columns - 1, Math.floor(x * columns));
      const row = Math.min(rowCount - 1, Math.floor(y * rowCount));
      const level = levels.charCodeAt(row * columns + column) / 255;
      const value = 100 * high * level ** (1 / power);
      crosshair.style.display = "block";
      crosshair.style.top = `${100 * row / rowCount}%`;
      crosshair.style.height = `${100 / rowCount}%`;
      const update = Math.round(end * column / Math.max(1, columns - 1));
      show(event, [
        [`${names[row]}: ${value.toFixed(Number(digits))} %`],
        [`update ${update.toLocaleString("en-US")}`],
      ]);
    }, () => { crosshair.style.display = "none"; });
  }

  for (const goal of document.querySelectorAll(".tech-tree .goal")) {
    const title = goal.querySelector("title");
    const lines = title.textContent.split("; ").map((line) => [line]);
    goal.setAttribute("aria-label", title.textContent);
    title.remove();
    follow(goal, (event) => show(event, lines), () => {});
  }

  window.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("pointerdown", hide, { capture: true });
})();
