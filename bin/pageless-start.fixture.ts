/** Starts the whole app without its pages, which take long to build: for tests that kill it and start it again. */
import "./heap.ts";
import { launch } from "./launch.ts";
import { migrateDatabase } from "./migrate.ts";
import { projectRoot } from "./project.ts";

await launch({
  port: process.argv[2],
  parts: {
    prepare: async () => undefined,
    migrate: migrateDatabase,
    async load({ env }) {
      const { createFront } = await import("#lib/http/front.ts");
      return async (pages) => {
        const front = await createFront({ env, pages, root: projectRoot });
        front.server.on("upgrade", () => undefined); // as Next listens, and says nothing to a wish that it does not know
        return front;
      };
    },
    async openPages(pages) {
      pages.serve(async (_request, response) => void response.end("page"));
      return async () => undefined;
    },
  },
});
