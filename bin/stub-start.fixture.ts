/** A start with a stub app, for the launcher's own tests: everything but pages and migrations is real. */
import { createServer } from "node:http";
import { getBoot } from "#lib/settings/boot.ts";
import { launch } from "./launch.ts";

await launch({
  port: process.argv[2],
  parts: {
    prepare: async () => undefined,
    migrate: async () => ({ applied: [] }),
    load: async () => async () => {
      const server = createServer(async (request, response) => {
        response.setHeader("connection", "close");
        const { default: pg } = await import("pg");
        if (request.url === "/crash") throw new Error("a fault of the app");
        if (request.url === "/slow") {
          console.log("a slow request came");
          await new Promise((resolve) => setTimeout(resolve, 1500));
        }
        const client = new pg.Client({ connectionString: getBoot().databaseUrl });
        client.on("error", () => undefined);
        try {
          await client.connect();
          const { rows } = await client.query("SELECT pg_backend_pid() AS backend, current_user AS role");
          response.end(JSON.stringify(rows[0]));
        } catch (error) {
          response.writeHead(503).end(String(error));
        } finally {
          await client.end().catch(() => undefined);
        }
      });
      const drain = () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        });
      return { server, drain };
    },
    openPages: async () => async () => undefined,
  },
});
