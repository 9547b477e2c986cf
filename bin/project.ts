import path from "node:path";

/** The folder that holds `package.json`. */
export const projectRoot = path.resolve(import.meta.dirname, "..");

/** An absolute path inside the project. */
export const inProject = (...segments: string[]): string => path.join(projectRoot, ...segments);
