/** A start of the whole app but for its pages, which take long to build: for tests that kill it and start it again. */
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
      const next = {
        getRequestHandler: () => async (_request: unknown, response: { end(text: string): void }) =>
          response.end("page"),
      };
      return async () => ({
        front: await createFront({ env, next: next as never, root: projectRoot }),
        close: async () => undefined,
      });
    },
  },
});
