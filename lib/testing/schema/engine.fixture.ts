/**
 * Prisma's schema engine, which knows what SQL leads from a database to the schema files. Only developers and tests run
 * it: it is a devDependency, and the app itself applies plain SQL files.
 */
import { glob, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

/** The SQL that makes the database at `url` what the files of prisma/schema say; empty when it is that already. */
export async function differenceOf(url: string, root = process.cwd()): Promise<string> {
  await load();
  const files = await schemaFiles(root);
  const running = await engine.SchemaEngine.new(
    { datamodels: files.map((file) => [file.path, file.content]) },
    () => undefined,
    bind(new CatalogAdapter(connectionOf(url))),
  );
  try {
    const { stdout } = await running.diff({
      from: { tag: "schemaDatasource", files, configDir: path.join(root, "prisma") },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return (stdout ?? "").replace(/^-- This is an empty migration\.$/m, "").trim();
  } finally {
    running.free();
  }
}

async function schemaFiles(root: string): Promise<{ path: string; content: string }[]> {
  const files: { path: string; content: string }[] = [];
  for await (const file of glob("prisma/schema/**/*.prisma", { cwd: root }))
    files.push({ path: file, content: await readFile(path.join(root, file), "utf8") });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

let loaded: Promise<void> | null = null;

function load(): Promise<void> {
  loaded ??= (async () => {
    const file = createRequire(import.meta.url)
      .resolve("@prisma/schema-engine-wasm/schema_engine_bg")
      .replace(/\.js$/, ".wasm");
    const { instance } = await WebAssembly.instantiate(await readFile(file), {
      "./schema_engine_bg.js": engine as never,
    });
    (engine as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void }).__wbg_set_wasm(instance.exports);
    (instance.exports.__wbindgen_start as () => void)();
  })();
  return loaded;
}

/** A URL's host, port and user apart: the engine reads them from the adapter, not from a URL. */
function connectionOf(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

/** The catalog's own type "char", a type the adapter takes for it, and what the engine calls it. */
const CHAR = 18;
const BPCHAR = 1042;
const CHARACTER = 6;

/** The app reads int8 as numbers; the engine wants every digit. */
const exact = (types: pg.CustomTypesConfig): pg.CustomTypesConfig => ({
  getTypeParser: ((oid: number, format: "text") =>
    oid === pg.types.builtins.INT8
      ? String
      : types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
});

/** Prisma's adapter for Postgres, which does not know the type "char" that the catalog is full of. */
class CatalogAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    let characters: number[] = [];
    const pool = adapter.underlyingDriver();
    const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
    Object.assign(pool, {
      async query(config: pg.QueryConfig) {
        const result = await query({ ...config, types: exact(config.types ?? pg.types) });
        characters = result.fields.flatMap(({ dataTypeID }, index) => (dataTypeID === CHAR ? [index] : []));
        for (const index of characters) (result.fields[index] as pg.FieldDef).dataTypeID = BPCHAR;
        return result;
      },
    });
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (asked) => {
      const result = await queryRaw(asked);
      return {
        ...result,
        columnTypes: result.columnTypes.map((type, index) => (characters.includes(index) ? CHARACTER : type)),
      };
    };
    return adapter;
  }
}

/** The engine wants adapters that answer errors in place of throwing them; Prisma's own package, which adapter-pg brings, makes them so. */
function bind(factory: PrismaPg): object {
  const require = createRequire(createRequire(import.meta.url).resolve("@prisma/adapter-pg"));
  const utils = require("@prisma/driver-adapter-utils") as {
    bindMigrationAwareSqlAdapterFactory(factory: PrismaPg): object;
  };
  return utils.bindMigrationAwareSqlAdapterFactory(factory);
}
