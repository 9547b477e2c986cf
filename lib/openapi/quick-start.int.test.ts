import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { KEY_PLACE, quickStart } from "./quick-start.ts";

const server = useServer();
const run = promisify(execFile);
/** Without it the snippet would go unchecked. */
function mustBeThere(command: string): void {
  const { status } = spawnSync(command, ["--version"]);
  if (status !== 0) throw new Error(`install ${command}: a quick start of /docs needs it, and this test runs it`);
}

const runners: readonly [string, string, (file: string) => readonly string[]][] = [
  ["curl", "bash", (file) => [file]],
  ["typescript", process.execPath, (file) => ["--disable-warning=ExperimentalWarning", file]],
  ["python", "python3", (file) => [file]],
];

for (const [id, command, args] of runners)
  test(`the quick start in ${id} runs as it is`, async () => {
    mustBeThere(id === "curl" ? "curl" : command);
    const workspace = await createTestWorkspace();
    const snippet = quickStart(server.url()).find((one) => one.id === id);
    const folder = await mkdtemp(join(tmpdir(), "rapport-quick-start-"));
    const file = join(folder, id === "typescript" ? "start.mts" : "start");
    await writeFile(file, (snippet?.code ?? "").replaceAll(KEY_PLACE, await workspace.key()));
    const { stdout } = await run(command, [...args(file)]);
    await rm(folder, { recursive: true });
    expect(stdout).toContain("draft_email");
    const { body } = await server.call("/v2/people/anna@acme.com", { key: await workspace.key() });
    expect(body).toMatchObject({ person: { first_name: "Anna" } });
  });

test("the MCP configuration names the endpoint and the key", () => {
  const snippet = quickStart("https://rapport.acme.com").find((one) => one.id === "mcp");
  expect(JSON.parse(snippet?.code ?? "")).toEqual({
    mcpServers: {
      rapport: { url: "https://rapport.acme.com/mcp", headers: { Authorization: `Bearer ${KEY_PLACE}` } },
    },
  });
});
