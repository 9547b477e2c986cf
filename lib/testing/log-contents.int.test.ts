/** The log says who did what and how long it took, and nothing of what is known of people. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { STALL_MS } from "#lib/core/stalls.ts";
import { useLog } from "./log.fixture.ts";
import { useServer } from "./server.fixture.ts";
import { createTestWorkspace } from "./workspace.fixture.ts";

const { call } = useServer();
const logged = useLog();

const NAME = "Quillonia";
const EMAIL = "quillonia@zebrafinch.example";

test("no line of requests about a person, right or wrong, has their name, address, or what was said of them", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const said: [string, object?, string?][] = [
    ["/v2/people", { email: EMAIL, first_name: NAME, job_title: "Keeper of zebrafinches" }],
    [`/v2/people/${EMAIL}`, { job_title: "Zebrafinch" }, "PATCH"],
    [`/v2/people/${EMAIL}`],
    [`/v2/people?search=${NAME}`],
    [`/v2/accounts/${EMAIL}`],
    ["/api/v1/capture", { email: EMAIL, type: "call", external_id: "zebrafinch-1" }],
    ["/v2/notes", { focus: EMAIL, content: `${NAME} keeps zebrafinches` }],
    ["/v2/notes/search", { question: `What does ${NAME} keep?` }],
    ["/v2/context", { focus: EMAIL }],
    ["/v2/accounts/nobody@zebrafinch.example"],
    ["/v2/people", { email: `${NAME} at zebrafinch`, zebrafinch: 1 }],
    ["/v2/tasks", { title: `Call ${NAME}`, focus: EMAIL }],
  ];
  const statuses: number[] = [];
  for (const [path, body, method] of said)
    statuses.push((await call(path, { key, ...(body ? { body } : {}), ...(method ? { method } : {}) })).status);
  expect(statuses.filter((status) => status >= 400)).toHaveLength(2);
  await expect.poll(() => logged.lines().filter(({ operation }) => operation !== undefined).length).toBeGreaterThan(10);
  const text = logged.text().toLowerCase();
  expect([text.includes("quillonia"), text.includes("zebrafinch")]).toEqual([false, false]);
});

test("that the machine gave the process no time is in the log, and in no line that a test looks at", async () => {
  await sleep(120);
  for (const end = performance.now() + STALL_MS * 2; performance.now() < end; );
  await expect.poll(logged.text).toContain("the event loop stalled");
  expect(logged.lines().map(({ msg }) => msg)).not.toContainEqual(expect.stringContaining("stalled"));
});
