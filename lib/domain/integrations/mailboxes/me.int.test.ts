/** `/v2/me/mailboxes` by REST: for a member and who acts for one, and for nobody else. */
import { beforeAll, expect, test } from "vitest";
import { addressOf } from "#lib/core/operation.ts";
import { operations } from "#lib/registry.ts";
import { bootWith } from "#lib/testing/database.ts";
import { addMailbox } from "#lib/testing/mail.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

beforeAll(() => bootWith({ WORKER: "separate" }));
const server = useServer();
const ofMe = operations.map(({ contract }) => contract).filter(({ http }) => http.path.startsWith("/v2/me/mailboxes"));

async function setUp() {
  const workspace = await createTestWorkspace();
  const ada = await addTestMember(workspace, "Ada");
  const grace = await addTestMember(workspace, "Grace");
  const mailbox = await addMailbox({ ...ada, workspaceId: workspace.id });
  const login = ({ userId }: { userId: string }) => workspace.key(["write"], { loginUserId: userId });
  return { workspace, ada, grace, mailbox, login };
}

test("an API key of the workspace is refused by each of them", async () => {
  const { workspace, mailbox } = await setUp();
  const key = await workspace.key(["admin"]);
  expect(ofMe.length).toBe(8);
  for (const { name, http, example } of ofMe) {
    const { address, rest } = addressOf(http.path, {
      ...example.input,
      ...("id" in example.input ? { id: mailbox.id } : {}),
    });
    const hasBody = http.method !== "GET";
    const answer = await server.call(address, { key, method: http.method, ...(hasBody ? { body: rest } : {}) });
    expect([answer.status, answer.body.error], name).toEqual([403, "member_required"]);
  }
});

test("the key of a member's login sees and changes their mailboxes, and a colleague's does not", async () => {
  const { ada, grace, mailbox, login } = await setUp();
  const [hers, graces] = [await login(ada), await login(grace)];
  const list = async (key: string) => (await server.call("/v2/me/mailboxes", { key })).body.mailboxes;
  expect(await list(hers)).toMatchObject([{ id: mailbox.id, share: "metadata" }]);
  expect(await list(graces)).toEqual([]);
  const path = `/v2/me/mailboxes/${mailbox.id}`;
  const change = (key: string) => server.call(path, { key, method: "PATCH", body: { share: "nothing" } });
  expect(await change(graces)).toMatchObject({ status: 404, body: { error: "mailbox_not_found" } });
  expect(await change(hers)).toMatchObject({ status: 200, body: { mailbox: { share: "nothing" } } });
  expect((await server.call(`${path}/report`, { key: graces })).status).toBe(404);
  expect((await server.call(`${path}/report`, { key: hers })).status).toBe(200);
});
