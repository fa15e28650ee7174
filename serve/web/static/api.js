// Draws the OpenAPI document with forms to try the calls, when the visitor asks for it: a table of
// the calls stands on the page without it.
"use strict";
(() => {
  const root = "/docs/api";
  const start = document.getElementById("try");

  // Links inside of buttons that open the same are no use to a screen reader or a finger.
  const usable = (system) => ({
    wrapComponents: {
      DeepLink: () => (props) => system.React.createElement("span", { className: "nostyle" }, props.text),
    },
  });

  // nameOf returns the name of a list to choose from.
  function nameOf(select) {
    const row = select.closest("tr[data-param-name]");
    if (row) return row.dataset.paramName;
    if (select.id === "servers") return "Server";
    return select.matches(".examples-select-element") ? "Example" : "Kind of content";
  }

  // level makes each heading at most one level below the heading before it, for a screen reader.
  function level() {
    let last = 1; // of the page's own heading
    for (const heading of document.querySelectorAll("#document :is(h1, h2, h3, h4, h5, h6)")) {
      last = Math.min(Number(heading.tagName[1]), last + 1);
      heading.setAttribute("aria-level", last);
    }
  }

  // mend names fields, lets the keyboard reach what scrolls, and closes gaps between headings.
  function mend() {
    for (const select of document.querySelectorAll("#document select:not([aria-label])")) select.setAttribute("aria-label", nameOf(select));
    for (const text of document.querySelectorAll("#document pre:not([tabindex]), .model-box:not([tabindex])")) text.setAttribute("tabindex", "0");
    level();
  }

  // load adds a script, or a stylesheet which those of the site come after, and resolves when it is there.
  function load(tag, attributes) {
    return new Promise((resolve, reject) => {
      const element = Object.assign(document.createElement(tag), attributes, { onload: resolve, onerror: reject });
      document.head.prepend(element);
    });
  }

  // draw replaces the tables. The key that is entered stays in this page: nothing is stored, and
  // calls go to the host that served it.
  async function draw() {
    start.disabled = true;
    try {
      await Promise.all([
        load("link", { rel: "stylesheet", href: root + "/swagger-ui.css" }),
        load("script", { src: root + "/swagger-ui-bundle.js" }),
      ]);
    } catch {
      start.disabled = false;
      start.textContent = "Could not load it. Try again";
      return;
    }
    new MutationObserver(mend).observe(document.getElementById("document"), { childList: true, subtree: true });
    SwaggerUIBundle({
      url: "/v1/openapi.json",
      dom_id: "#document",
      deepLinking: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      docExpansion: "list",
      persistAuthorization: false,
      validatorUrl: null,
      plugins: [usable],
    });
    document.getElementById("calls").hidden = true;
    start.parentElement.hidden = true;
  }

  start.addEventListener("click", draw);
  if (location.hash.startsWith("#/")) draw(); // the address of a call in the reference
})();
