// Starts GraphiQL on the endpoint and with the API key that the page names. The
// headers stay in this browser.
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
ReactDOM.createRoot(root).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: endpoint.href }),
    defaultQuery: query,
    defaultHeaders: JSON.stringify({ Authorization: "Bearer " + root.dataset.key }, null, 2),
    defaultEditorToolsVisibility: "headers",
  }),
);
