"use strict";

// What Swagger UI makes that a reader of screens or a finger cannot use: links inside
// of buttons that open the same, and fields without a name.
const usable = (system) => ({
  wrapComponents: {
    DeepLink: () => (props) => system.React.createElement("span", { className: "nostyle" }, props.text),
  },
});

// nameOf is what a list to choose from is called.
function nameOf(select) {
  const row = select.closest("tr[data-param-name]");
  if (row) return row.dataset.paramName;
  if (select.id === "servers") return "Server";
  return select.matches(".examples-select-element") ? "Example" : "Kind of content";
}

// mend names fields and lets the keyboard reach what scrolls.
function mend() {
  for (const select of document.querySelectorAll("select:not([aria-label])")) select.setAttribute("aria-label", nameOf(select));
  for (const text of document.querySelectorAll("pre:not([tabindex]), .model-box:not([tabindex])")) text.setAttribute("tabindex", "0");
}

new MutationObserver(mend).observe(document.getElementById("document"), { childList: true, subtree: true });

// The key that is entered stays in this page: nothing is stored, and calls go to
// the host that served it.
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
