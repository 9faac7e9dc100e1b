// Starts GraphiQL on the endpoint that the page names, with the API key that the
// start page left in this tab. The headers stay in this browser.
const root = document.getElementById("graphiql");
const endpoint = new URL(root.dataset.endpoint, location.href);
const query = `# Your API key goes into the headers below.
query Missions {
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

// subscribes tells whether what is to be run is a subscription.
const subscribes = (params, options) =>
  Boolean(options?.documentAST?.definitions.some((d) =>
    d.kind === "OperationDefinition" && d.operation === "subscription" &&
    (!params.operationName || d.name?.value === params.operationName)));

// answers reads what a stream of server-sent events says.
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
    defaultQuery: query,
    defaultHeaders: JSON.stringify({ Authorization: "Bearer " + (sessionStorage.getItem("missiond.key") ?? "YOUR_API_KEY") }, null, 2),
    defaultEditorToolsVisibility: "headers",
  }),
);
