// Starts GraphiQL on the endpoint that the page names. The API key goes into
// the headers, which stay in this browser.
const root = document.getElementById("graphiql");
const endpoint = new URL(root.dataset.endpoint, location.href);
const query = `# Put your API key into the headers below (<data-dir>/dev.env has the demo's).
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
ReactDOM.createRoot(root).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: endpoint.href }),
    defaultQuery: query,
    defaultHeaders: JSON.stringify({ Authorization: "Bearer cms_live_…" }, null, 2),
    defaultEditorToolsVisibility: "headers",
    shouldPersistHeaders: true,
  }),
);
