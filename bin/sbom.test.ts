import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { foldersOf, type LockFile, manifestOf } from "./manifest.ts";
import { inProject } from "./project.ts";
import { provenanceOf } from "./provenance.ts";
import { sbomOf } from "./sbom.ts";

const read = (name: string) => JSON.parse(readFileSync(inProject(name), "utf8"));

describe("the list of packages", () => {
  const lock: LockFile = {
    packages: {
      "node_modules/@a/b": {
        version: "1.2.3",
        license: "MIT",
        integrity: `sha512-${Buffer.alloc(64, 7).toString("base64")}`,
        dependencies: { c: "^1" },
      },
      "node_modules/c": { version: "1.0.0", license: "(MIT OR Apache-2.0)" },
      "node_modules/@a/b/node_modules/c": { version: "1.1.0", license: "SEE LICENSE IN X" },
      "node_modules/native-x64": { version: "2.0.0" },
    },
  };
  const made = sbomOf(
    { name: "rapport", version: "9.9.9", license: "MIT" },
    ["node_modules/@a/b", "node_modules/@a/b/node_modules/c", "node_modules/c"],
    ["native-x64"],
    lock,
  );

  test("has each with its address, hash and licence", () => {
    expect(made.components[0]).toEqual({
      type: "library",
      "bom-ref": "node_modules/@a/b",
      name: "@a/b",
      version: "1.2.3",
      purl: "pkg:npm/%40a/b@1.2.3",
      scope: "required",
      hashes: [{ alg: "SHA-512", content: "07".repeat(64) }],
      licenses: [{ license: { id: "MIT" } }],
    });
    expect(made.components.map(({ licenses }) => licenses?.[0])).toEqual([
      { license: { id: "MIT" } },
      { license: { name: "SEE LICENSE IN X" } },
      { expression: "(MIT OR Apache-2.0)" },
      undefined,
    ]);
    expect(made.components.map(({ scope }) => scope)).toEqual(["required", "required", "required", "optional"]);
  });

  test("says which copy of a package another one loads", () => {
    expect(made.dependencies).toEqual([
      {
        ref: "pkg:npm/rapport@9.9.9",
        dependsOn: ["node_modules/@a/b", "node_modules/c", "node_modules/native-x64"],
      },
      { ref: "node_modules/@a/b", dependsOn: ["node_modules/@a/b/node_modules/c"] },
      { ref: "node_modules/@a/b/node_modules/c", dependsOn: [] },
      { ref: "node_modules/c", dependsOn: [] },
      { ref: "node_modules/native-x64", dependsOn: [] },
    ]);
  });

  test("of this release is a whole CycloneDX document, the same each time", () => {
    const manifest = manifestOf(read("package.json"), read("package-lock.json"), ["pg", "zod"], "pages");
    const folders = foldersOf(manifest.bundleDependencies, read("package-lock.json"));
    const make = () => sbomOf(manifest, folders, Object.keys(manifest.optionalDependencies), read("package-lock.json"));
    const { components, dependencies, metadata, ...head } = make();
    expect(head).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    expect(metadata.component).toMatchObject({ type: "application", name: "rapport", version: manifest.version });
    const refs = components.map((each) => each["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    expect(refs.length).toBeGreaterThan(20);
    for (const { name, version, purl, hashes, licenses } of components) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/);
      expect([name, version, hashes?.[0]?.alg]).toEqual([expect.any(String), expect.any(String), "SHA-512"]);
      expect(licenses, `${name} has a licence`).toHaveLength(1);
    }
    const known = new Set([...refs, metadata.component["bom-ref"]]);
    expect(dependencies.map(({ ref }) => ref).sort()).toEqual([...known].sort());
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((each) => !known.has(each))).toEqual([]);
    expect(make()).toEqual(make());
  });
});

test("the statement of provenance names the archive, the program's files, the commit and what built it", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rapport-provenance-"));
  try {
    mkdirSync(path.join(folder, "program/.next/server"), { recursive: true });
    writeFileSync(path.join(folder, "program/.next/server/page.js"), "page");
    writeFileSync(path.join(folder, "program/a.js"), "a");
    writeFileSync(path.join(folder, "rapport-1.tgz"), "archive");
    const sha256 = (text: string) => ({ sha256: createHash("sha256").update(text).digest("hex") });
    const [began, ended] = [new Date("2026-11-27T12:00:00Z"), new Date("2026-11-27T12:03:00Z")];
    const products = [path.join(folder, "rapport-1.tgz")];
    const { predicate, ...statement } = provenanceOf({ products, program: path.join(folder, "program"), began, ended });
    expect(statement).toEqual({
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ name: "rapport-1.tgz", digest: sha256("archive") }],
      predicateType: "https://slsa.dev/provenance/v1",
    });
    const { resolvedDependencies } = predicate.buildDefinition;
    expect(resolvedDependencies.at(-1)).toEqual({
      uri: "file:package-lock.json",
      digest: sha256(readFileSync(inProject("package-lock.json"), "utf8")),
    });
    for (const { digest } of resolvedDependencies.slice(0, -1))
      expect(digest).toEqual({ gitCommit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(predicate.runDetails).toEqual({
      builder: {
        id: "urn:rapport:own-machine",
        version: { node: process.version, next: expect.any(String), typescript: expect.any(String) },
      },
      metadata: { startedOn: "2026-11-27T12:00:00.000Z", finishedOn: "2026-11-27T12:03:00.000Z" },
      byproducts: [
        { name: ".next/server/page.js", digest: sha256("page") },
        { name: "a.js", digest: sha256("a") },
      ],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
