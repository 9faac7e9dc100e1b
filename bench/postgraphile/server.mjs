// PostGraphile on the tables of a database, a process for each core, as its
// manual has it for production: node server.mjs PORT DATABASE-URL.
import cluster from "node:cluster";
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const [port, connectionString] = process.argv.slice(2);
const processes = availableParallelism();

if (cluster.isPrimary) {
  for (let i = 0; i < processes; i++) cluster.fork();
  const end = () => {
    for (const worker of Object.values(cluster.workers)) worker.kill("SIGKILL");
    process.exit(0);
  };
  process.on("SIGTERM", end);
  cluster.on("exit", () => process.exit(1));
} else {
  const connections = Math.ceil(20 / processes);
  const instance = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ connectionString, schemas: ["public"], poolConfig: { max: connections } })],
    grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false },
  });
  const server = createServer();
  server.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
  await instance.createServ(grafserv).addTo(server);
  server.listen(Number(port), "127.0.0.1");
}
