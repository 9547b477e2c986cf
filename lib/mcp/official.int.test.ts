/** What the official checkers say about `/mcp`: the conformance suite and the inspector. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { conformance, inspector, installOfficialTools, withKey } from "#lib/testing/official-tools.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { tools } from "./tools.ts";

const server = useServer();
let key: string;
let proxy: Awaited<ReturnType<typeof withKey>>;

beforeAll(async () => {
  await installOfficialTools();
  key = await (await createTestWorkspace()).key();
  proxy = await withKey(server.url, key);
}, 180_000);
afterAll(() => proxy.close());

const passes = [
  ...["server-initialize", "ping", "completion-complete", "tools-list", "resources-list", "prompts-list"],
  ...["server-sse-polling", "server-sse-multiple-streams", "dns-rebinding-protection", "logging-set-level"],
];

/** Why a scenario of the suite does not apply. */
const fixtures = "calls a tool, resource or prompt of the suite's own sample server";
const unused = "is about a feature that we do not offer, because nothing in Rapport needs it";
const sessions = "needs a session; clients of the revision of 2026 subscribe by a stream (route.int.test.ts)";
const doesNotApply: Readonly<Record<string, readonly string[]>> = {
  [fixtures]: [
    ...["tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource"],
    ...["tools-call-mixed-content", "tools-call-error", "json-schema-2020-12"],
    ...["resources-read-text", "resources-read-binary", "resources-templates-read"],
    ...["prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image"],
  ],
  [unused]: [
    ...["tools-call-with-logging", "tools-call-with-progress", "tools-call-sampling"],
    ...["tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
  ],
  [sessions]: ["resources-subscribe", "resources-unsubscribe"],
};

// One process for all: to start one takes longer than its scenario.
test("the conformance suite passes each server scenario but those that do not apply, which it fails", async () => {
  const { stdout, stderr } = await conformance("server", "--url", `${proxy.url}/mcp`, "--suite", "all");
  const outcomes = [...stdout.matchAll(/^([✓✗]) (\S+): \d+ passed/gm)].map(([, mark, name]) => `${mark} ${name}`);
  const others = Object.values(doesNotApply).flat();
  const expected = [...passes.map((name) => `✓ ${name}`), ...others.map((name) => `✗ ${name}`)];
  expect(outcomes.toSorted(), stdout + stderr).toEqual(expected.toSorted());
}, 180_000);

const asked = (...more: string[]) =>
  inspector(`${server.url()}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`, ...more);

test("the inspector lists the tools, and only the value of an observation is without a type: it is any JSON", async () => {
  const { code, stdout, stderr } = await asked("--method", "tools/list", "--strict");
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(
    /^Warning: tool "record"\s+Path: inputSchema\.properties\.observations\.items\.properties\.value$/m,
  );
  expect(stderr).toContain("0 errors, 1 warning across 1 tool");
  expect((JSON.parse(stdout) as { tools: unknown[] }).tools).toHaveLength(
    tools.filter(({ forApproval }) => !forApproval).length,
  );
});

test("the inspector calls a tool and reads a resource", async () => {
  const called = await asked("--method", "tools/call", "--tool-name", "get_workspace_status");
  expect(called.code, called.stderr).toBe(0);
  expect(JSON.parse(called.stdout)).toMatchObject({ structuredContent: { workspace: { name: "Test" } } });
  const read = await asked("--method", "resources/read", "--uri", "rapport://gtm-profile");
  expect(read.stdout).toContain("GTM PROFILE: empty");
});
