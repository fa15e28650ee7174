// Makes the pages quicker to use; every page works without it.
// A form marked data-live answers as it is changed: its page is fetched and takes
// the place of the main part. Buttons marked data-copy copy the line beside them.
"use strict";
(() => {
  let latest = 0;

  // addressOf is the address that sending a form leads to, without empty fields.
  function addressOf(form) {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (value !== "") query.append(name, value);
    }
    const text = query.toString();
    return form.getAttribute("action") + (text ? "?" + text : "");
  }

  // show fetches a page and puts its main part in the place of the present one.
  // The field that had the focus has it again.
  async function show(address, push) {
    const turn = ++latest;
    const focused = document.activeElement && document.activeElement.id;
    const main = document.querySelector("main");
    main.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const next = page.querySelector("main");
      if (turn !== latest) return;
      if (!next) throw new Error("no page");
      main.replaceWith(next);
      document.title = page.title;
      if (push) history.pushState({ live: true }, "", address);
      if (focused && document.getElementById(focused)) document.getElementById(focused).focus({ preventScroll: true });
      ready(next);
      say(page.title);
    } catch {
      location.assign(address);
    }
  }

  // say reads a text out to those who do not see the page change.
  function say(text) {
    document.getElementById("announce").textContent = text;
  }

  async function copy(button) {
    const line = document.getElementById(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(line);
      button.textContent = "Copied";
      say("Copied");
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2500);
  }

  // choose follows the link that the table has for a borough of the map.
  function choose(place) {
    for (const row of document.querySelectorAll("table.figures tr[data-row]")) {
      const link = row.dataset.row === place && row.querySelector("th a");
      if (link) link.click();
    }
  }

  // ready shows what works with the script only.
  function ready(part) {
    for (const hidden of part.querySelectorAll("[data-script]")) hidden.hidden = false;
  }

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-live]");
    if (form) show(addressOf(form), true);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-live]");
    if (!form) return;
    event.preventDefault();
    show(addressOf(form), true);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy]");
    if (button) copy(button);
    const borough = event.target.closest("svg.map path[data-row]");
    if (borough) choose(borough.dataset.row);
  });
  addEventListener("popstate", () => show(location.href, false));
  document.documentElement.classList.add("scripted");
  ready(document);
})();
