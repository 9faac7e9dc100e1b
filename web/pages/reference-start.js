// Starts the API reference on the description that the page names, with the API key
// that the start page left in this tab. Nothing is loaded from elsewhere: no fonts, no
// proxy, no telemetry, no assistant.
const key = sessionStorage.getItem("missiond.key");

// Missions come first, posts next; the rest is in the order of the alphabet.
const order = (tag) => ({ Missions: "1", Content: "2" })[tag.name] ?? "3" + tag.name;

Scalar.createApiReference("#reference", {
  url: document.getElementById("reference").dataset.description,
  tagsSorter: (a, b) => order(a).localeCompare(order(b)),
  defaultOpenFirstTag: true,
  authentication: { preferredSecurityScheme: "bearer", securitySchemes: { bearer: { token: key ?? "" } } },
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
});
