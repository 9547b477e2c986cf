import { readFileSync } from "node:fs";
import path from "node:path";

/** The folder that holds `package.json`. */
export const projectRoot = path.resolve(import.meta.dirname, "..");

/** An absolute path inside the project. */
export const inProject = (...segments: string[]): string => path.join(projectRoot, ...segments);

/** What `npm run package` wrote into the package's `package.json`; undefined in a clone. */
export interface PackageInfo {
  /** Folder of the built pages. */
  pages: string;
}

export const packaged: PackageInfo | undefined = (
  JSON.parse(readFileSync(inProject("package.json"), "utf8")) as { packaged?: PackageInfo }
).packaged;

/** How the server is started here, for messages. */
export const startCommand = packaged ? "rapport" : "npm start";

/** Where `.env` and the data folder are: the project folder, or where the command of an installed package is run. */
export const homeFolder = packaged ? process.cwd() : projectRoot;
