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

  // The lines to show at this share of the width and height of a plot's axes, and where to mark.
  function chartLines(data, x) {
    const wanted = x * data.end;
    const rows = data.lines.map((line) => {
      const index = nearest(line.x, wanted);
      const value = line.y[index];
      if (value === null || wanted > line.x[line.x.length - 1] * 1.02) return null;
      const band = line.low && line.low[index] !== null
        ? ` (${number(line.low[index])} to ${number(line.high[index])})` : "";
      const place = line.dots ? ` at ${line.x[index].toLocaleString("en-US")}` : "";
      return [`${line.label}${place}: ${number(value)}${band}`, line.color];
    });
    const updates = data.rate ? `, ${Math.round(wanted / data.rate).toLocaleString("en-US")} updates` : "";
    const head = `${Math.round(wanted).toLocaleString("en-US")} ${data.x}${updates}`;
    return [[[head], ...rows.filter((row) => row !== null)], [x, 0, 0, 1]];
  }

  function mapLines(data, x, y) {
    const rowCount = data.rows.length;
    const columns = data.values.length / rowCount;
    const column = Math.min(columns - 1, Math.floor(x * columns));
    const row = Math.min(rowCount - 1, Math.floor(y * rowCount));
    const value = 100 * data.high * (data.values.charCodeAt(row * columns + column) / 255) ** (1 / data.power);
    const digits = data.high < 0.05 ? 2 : data.high < 1 ? 1 : 0;
    const update = Math.round(data.end * column / Math.max(1, columns - 1));
    const lines = [
      [`${data.rows[row]}: ${value.toFixed(digits)} %`],
      [`update ${update.toLocaleString("en-US")}`],
    ];
    return [lines, [0, row / rowCount, 1, 1 / rowCount]];
  }

  for (const plot of document.querySelectorAll(".plot")) {
    const script = plot.querySelector("script");
    if (!script) continue;
    const data = JSON.parse(script.textContent);
    if (data.levels) data.values = atob(data.levels);
    plot.querySelectorAll("title").forEach((title) => title.remove());
    const [left, top, width, height] = data.box;
    const cursor = document.createElement("div");
    cursor.className = "cursor";
    cursor.hidden = true;
    plot.append(cursor);
    follow(plot, (event) => {
      const box = plot.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width - left) / width;
      const y = ((event.clientY - box.top) / box.height - top) / height;
      if (x < -0.02 || x > 1.02 || y < -0.02 || y > 1.02) {
        hide();
        return;
      }
      const inside = (share) => Math.min(1, Math.max(0, share));
      const [lines, mark] = (data.levels ? mapLines : chartLines)(data, inside(x), inside(y));
      cursor.hidden = false;
      cursor.style.left = `${100 * (left + mark[0] * width)}%`;
      cursor.style.top = `${100 * (top + mark[1] * height)}%`;
      cursor.style.width = `${100 * mark[2] * width}%`;
      cursor.style.height = `${100 * mark[3] * height}%`;
      cursor.style.borderWidth = mark[2] ? "1px 0" : "0 0 0 1px";
      show(event, lines);
    }, () => { cursor.hidden = true; });
  }

  for (const part of document.querySelectorAll(".part")) {
    const title = part.querySelector("title");
    if (!title) continue;
    const lines = title.textContent.split("; ").map((line) => [line]);
    part.setAttribute("aria-label", title.textContent);
    title.remove();
    follow(part, (event) => show(event, lines), () => {});
  }

  window.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("pointerdown", hide, { capture: true });
})();
