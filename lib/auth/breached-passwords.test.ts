import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { requireGoodPassword } from "./passwords.ts";

const logged = useLog();
const hashOf = (password: string) => createHash("sha1").update(password).digest("hex").toUpperCase();
const BREACHED = "an owl in the belfry";
const PADDING = "a heron on the pylon";

/** Answers as the range API does: the rest of each hash that begins so, with how often it was seen. */
const asked: string[] = [];
let status = 200;
const server = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers["add-padding"]}`);
  const rest = (password: string) => hashOf(password).slice(5);
  const lines = [`${"0".repeat(35)}:3`, `${rest(BREACHED)}:17`, `${rest(PADDING)}:0`, `${"F".repeat(35)}:1`];
  response.writeHead(status).end(lines.join("\r\n"));
});

const bootWith = (values: Record<string, string>) =>
  setBoot({ env: readEnv(values as never), databaseUrl: "", secrets: { sessionSecret: "", encryptionKeys: [] } });
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`;

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  status = 200;
  asked.length = 0;
  bootWith({ BREACHED_PASSWORDS_URL: address() });
});

test("a password of the collection is refused, by five characters of its hash", async () => {
  await expect(requireGoodPassword(BREACHED, [])).rejects.toMatchObject({
    code: "password_too_common",
    message: expect.stringContaining("stolen"),
  });
  expect(asked).toEqual([`/range/${hashOf(BREACHED).slice(0, 5)} true`]);
});

test("others are taken, and so is what stands there as padding", async () => {
  for (const password of ["a kestrel on the steeple", PADDING]) await requireGoodPassword(password, []);
  expect(asked).toHaveLength(2);
});

test("a collection that fails keeps no one out, and the log says so without the password", async () => {
  status = 503;
  await requireGoodPassword(BREACHED, []);
  expect(logged.lines()).toMatchObject([{ msg: expect.stringContaining("did not answer") }]);
  expect(logged.text()).not.toContain(BREACHED);
  expect(logged.text()).not.toContain(hashOf(BREACHED).slice(0, 5));
});

test("no one is asked where it is not set, nor for what is refused anyway", async () => {
  await expect(requireGoodPassword("passwordpassword", [])).rejects.toMatchObject({ code: "password_too_common" });
  bootWith({});
  await requireGoodPassword(BREACHED, []);
  expect(asked).toEqual([]);
});
