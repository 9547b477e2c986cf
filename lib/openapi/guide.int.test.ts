import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { guidePages } from "./guide.ts";

/**
 * Runs every `sh` block of the README and the guide, in their order and in one workspace, as a reader would. One that says `skip:`
 * gives its reason there. `<id>` is the first id of the answer before.
 */
const server = useServer();
const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const pages = await guidePages();
const texts: [name: string, markdown: string][] = [
  ["README", await readFile(join(root, "README.md"), "utf8")],
  ...[...pages.values()].map(({ name, markdown }): [string, string] => [name, markdown]),
];
const blocks = texts.flatMap(([name, markdown]) =>
  [...markdown.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = ""]) => ({ name, code })),
);

let folder: string;
let env: Record<string, string>;
let lastId = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rapport-guide-"));
  const workspace = await createTestWorkspace();
  const key = await workspace.key(["admin"]);
  await addTestMember(workspace, "Bob", "member", "bob@acme.com");
  const { PATH = "" } = process.env;
  env = { PATH, HOME: folder, RAPPORT_URL: server.url(), RAPPORT_API_KEY: key };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const prelude = `set -euo pipefail
curl() { command curl -sS --fail-with-body "$@"; echo; }
npx() { shift; "${process.execPath}" "${join(root, "bin/rapport.mjs")}" "$@"; }
`;

test.each(blocks)("$name: $code", async ({ code }) => {
  const { stdout } = await run("bash", ["-c", prelude + code.replaceAll("<id>", lastId)], {
    cwd: folder,
    env: env as NodeJS.ProcessEnv,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  expect(stdout.trim()).not.toBe("");
  lastId = /"id":"([0-9a-f-]{36})"/.exec(stdout)?.[1] ?? lastId;
});

test("the receiver of webhooks is a program", async () => {
  const code = /^```js\n(.*?)^```/ms.exec(pages.get("triggers")?.markdown ?? "")?.[1] ?? "";
  expect(code).toContain("webhook.verify");
  await writeFile(join(folder, "receiver.mjs"), code);
  await run(process.execPath, ["--check", join(folder, "receiver.mjs")]);
});

test("the server shows the pages, and gives them to agents as they were written", async () => {
  for (const [name, { title, markdown }] of pages) {
    const address = `${server.url()}/docs/guide${name === "index" ? "" : `/${name}`}`;
    const page = await fetch(address);
    expect(page.status, name).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).toContain(`<h1>${title.replaceAll("&", "&amp;")}</h1>`);
    const written = await fetch(address, { headers: { accept: "text/markdown" } });
    expect(await written.text()).toBe(markdown);
  }
  const absent = await fetch(`${server.url()}/docs/guide/nope`);
  expect(absent.status).toBe(404);
  expect(await absent.text()).toContain("All pages");
  const list = await (await fetch(`${server.url()}/llms.txt`)).text();
  const addresses = [...list.matchAll(/\]\((http[^)]+)\)/g)].map(([, address = ""]) => address);
  expect(addresses).toHaveLength(pages.size - 1);
  for (const address of addresses) expect((await fetch(address)).headers.get("content-type")).toContain("markdown");
  const whole = await (await fetch(`${server.url()}/llms-full.txt`)).text();
  for (const { title } of [...pages.values()].slice(1)) expect(whole).toContain(`# ${title}\n`);
});
