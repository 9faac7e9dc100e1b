// Starts GraphiQL on the endpoint that the page names, with the API key that the
// start page left in this tab. The headers stay in this browser.
const key = sessionStorage.getItem("missiond.key");
const root = document.getElementById("graphiql");
const endpoint = new URL(root.dataset.endpoint, location.href);
const hint = key ? "# The headers below have the demo tenant's key.\n" : "# Put your API key into the headers below.\n";
const query = `query Missions {
  missions(first: 10) {
    totalCount
    edges {
      node {
        id
        name
        status
        platforms
        endsAt
        contentCounts { generated scheduled published }
      }
    }
  }
}
`;

// subscribes reports whether the operation is a subscription.
const subscribes = (params, options) =>
  Boolean(options?.documentAST?.definitions.some((d) =>
    d.kind === "OperationDefinition" && d.operation === "subscription" &&
    (!params.operationName || d.name?.value === params.operationName)));

// answers yields the responses of a stream of server-sent events.
async function* answers(params, headers, signal) {
  const response = await fetch(endpoint.href, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers, Accept: "text/event-stream" },
    body: JSON.stringify(params),
    signal,
  });
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    yield await response.json();
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice("data: ".length));
    }
  }
}

// stream is answers that GraphiQL can end while it waits for the next.
function stream(params, headers) {
  const ending = new AbortController();
  const all = answers(params, headers, ending.signal);
  return {
    [Symbol.asyncIterator]() { return this; },
    next: () => all.next().catch((err) => {
      if (ending.signal.aborted) return { done: true, value: undefined };
      throw err;
    }),
    return() {
      ending.abort();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

const plain = GraphiQL.createFetcher({ url: endpoint.href });
ReactDOM.createRoot(root).render(
  React.createElement(GraphiQL, {
    fetcher: (params, options) => subscribes(params, options) ? stream(params, options.headers) : plain(params, options),
    defaultQuery: hint + query,
    defaultHeaders: JSON.stringify({ Authorization: "Bearer " + (key ?? "YOUR_API_KEY") }, null, 2),
    defaultEditorToolsVisibility: "headers",
  }),
);
