"use strict";
// Reloads the page when its server has a newer version; what is open and where one reads stay.
function watch(version) {
  const key = "lapis-report-place";
  const place = JSON.parse(sessionStorage.getItem(key) || "null");
  sessionStorage.removeItem(key);
  if (place) {
    document.querySelectorAll("details").forEach((each) => {
      const name = each.querySelector("summary").textContent;
      each.open = place.open.includes(name) || (each.open && !place.known.includes(name));
    });
    window.scrollTo(0, place.top);
  }
  const names = (selector) =>
    [...document.querySelectorAll(`${selector} > summary`)].map((each) => each.textContent);
  setInterval(async () => {
    if (document.hidden) return;
    let newest;
    try {
      newest = await (await fetch("/version")).text();
    } catch {
      return; // The server is gone or busy; the page stays as it is.
    }
    if (newest === version) return;
    const open = names("details[open]");
    sessionStorage.setItem(key, JSON.stringify({ top: window.scrollY, open, known: names("details") }));
    location.reload();
  }, 3000);
}
