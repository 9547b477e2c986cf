/**
 * Generates the Prisma client, in a separate process that `bin/prepare.ts` starts. Prisma's command line would do the
 * same, but it comes with 220 MB of studio, engines and other databases' drivers; this runs only its generator.
 */
import { createRequire } from "node:module";
import type { PrismaClientTsGenerator } from "@prisma/client-generator-ts";
import type internals from "@prisma/internals";
import { projectRoot } from "./project.ts";

// With `require`: the generator's ES modules import files that do not exist.
const load = createRequire(import.meta.url);
const { PrismaClientTsGenerator: Generator } = load("@prisma/client-generator-ts") as {
  PrismaClientTsGenerator: new () => PrismaClientTsGenerator;
};
const { getGenerators, loadSchemaContext } = load("@prisma/internals") as typeof internals;

const generators = await getGenerators({
  schemaContext: await loadSchemaContext({
    schemaPath: { baseDir: projectRoot, cliProvidedPath: "prisma/schema" },
    printLoadMessage: false,
    cwd: projectRoot,
  }),
  registry: { "prisma-client": { type: "in-process", generator: new Generator() } },
  skipDownload: true,
  cliCommand: "generate",
});
for (const generator of generators) {
  await generator.generate();
  generator.stop();
}
