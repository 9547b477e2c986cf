import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStaticFiles, type StaticFiles } from "./static-files.ts";

const script = `console.log(${JSON.stringify("a".repeat(5000))});`;
let root: string;
let files: StaticFiles;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "static-files-"));
  mkdirSync(join(root, ".next/static/chunks"), { recursive: true });
  writeFileSync(join(root, ".next/static/chunks/one.js"), script);
  writeFileSync(join(root, ".next/static/chunks/one.css"), "body{}");
  writeFileSync(join(root, ".next/static/chunks/font.woff2"), "binary");
  writeFileSync(join(root, ".next/secret.js"), "no");
  files = openStaticFiles(join(root, ".next/static"));
  await files.ready;
});
afterAll(() => rmSync(root, { recursive: true }));

const find = (path: string, headers: Record<string, string>) => files.find({ path, header: (name) => headers[name] });
const address = "/_next/static/chunks/one.js";

describe("static files", () => {
  it("serves brotli to callers that accept it, cacheable for good", () => {
    const file = find(address, { "accept-encoding": "gzip, deflate, br, zstd" });
    expect(file?.headers).toEqual({
      "Content-Type": "application/javascript; charset=UTF-8",
      "Content-Encoding": "br",
      "Content-Length": String(file?.body.length),
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      Vary: "Accept-Encoding",
    });
    expect(brotliDecompressSync(file?.body as Buffer).toString()).toBe(script);
  });

  it("serves gzip to callers that accept only that", () => {
    const file = find(address, { "accept-encoding": "GZIP;q=0.5, br;q=0" });
    expect(file?.headers["Content-Encoding"]).toBe("gzip");
    expect(gunzipSync(file?.body as Buffer).toString()).toBe(script);
  });

  it("serves the stylesheets", () => {
    expect(find("/_next/static/chunks/one.css", { "accept-encoding": "br" })?.headers["Content-Type"]).toMatch(
      /^text\/css/,
    );
  });

  it.each([
    ["takes no encoding", address, {}],
    ["refuses them", address, { "accept-encoding": "br;q=0.0, gzip; q=0, identity" }],
    ["wants a part", address, { "accept-encoding": "br", range: "bytes=0-9" }],
    ["asks for another kind of file", "/_next/static/chunks/font.woff2", { "accept-encoding": "br" }],
    ["asks for a file that is not there", "/_next/static/chunks/two.js", { "accept-encoding": "br" }],
    ["climbs", "/_next/static/../secret.js", { "accept-encoding": "br" }],
  ])("leaves to Next who %s", (_, path, headers) => {
    expect(find(path, headers)).toBeUndefined();
  });

  it("is empty without a build", async () => {
    const none = openStaticFiles(join(root, "nowhere"));
    await none.ready;
    expect(none.find({ path: address, header: () => "br" })).toBeUndefined();
  });
});
