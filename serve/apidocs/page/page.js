"use strict";

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
});
