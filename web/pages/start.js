// Exchanges the token in the address's fragment, which no server and no other page
// sees, for the demo's API key, and keeps that in this tab alone, for GraphiQL and the API reference.
const place = document.getElementById("start");
const token = new URLSearchParams(location.hash.slice(1)).get("start");

// say puts words in place of those of the page.
const say = (words) => { place.textContent = words; };

async function begin() {
  history.replaceState(null, "", location.pathname);
  const response = await fetch(place.dataset.path, { method: "POST", headers: { "Content-Type": "text/plain" }, body: token });
  if (!response.ok) {
    say("This address was used before, or is of an earlier start. The key is in dev.env of the data folder.");
    return;
  }
  const { api_key: key } = await response.json();
  sessionStorage.setItem("missiond.key", key);
  say("This tab has the demo's key: GraphiQL and the API reference, opened from here, use it.");
}

if (token) {
  begin().catch(() => say("The key couldn't be fetched. It is in dev.env of the data folder."));
} else if (sessionStorage.getItem("missiond.key")) {
  say("This tab has the demo's key: GraphiQL and the API reference, opened from here, use it.");
}
