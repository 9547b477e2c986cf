import { describe, expect, test } from "vitest";
import type { Role } from "#lib/core/plans.ts";
import { MOST_PENDING } from "#lib/domain/holding.ts";
import { createStage, type Stage } from "#lib/testing/conformance/stage.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { sweepApprovals } from "./service/end.ts";

const { call, url } = useServer();

const fact = (content: string) => ({ section: "ICP", content });

async function setUp() {
  const stage = await createStage();
  const key = await stage.key(["admin"], { approval: "writes" });
  const plain = await stage.key();
  const ask = async (body: object = fact("Series B fintechs"), path = "/v2/workspace/facts") => {
    const answer = await call(path, { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body.approval_id as string;
  };
  const person = async (role: Role) => {
    const { cookie } = await stage.person(role);
    const headers = { cookie, origin: url(), "sec-fetch-site": "same-origin" };
    const to = (path: string, body?: object) =>
      call(`/api/app/${stage.id}${path}`, { headers, ...(body ? { body } : {}) });
    return {
      to,
      headers,
      approve: (id: string) => to(`/approvals/${id}/approve`, {}),
      reject: (id: string, reason?: string) => to(`/approvals/${id}/reject`, reason ? { reason } : {}),
    };
  };
  const see = async (id: string, by = key) => (await call(`/v2/approvals/${id}`, { key: by })).body;
  const facts = async () =>
    ((await call("/v2/workspace/facts", { key: plain })).body.facts as { content: string; source: string }[]).map(
      ({ content }) => content,
    );
  return { stage, key, plain, ask, person, see, facts };
}

const auditOf = ({ id }: Stage) =>
  inspect<{ actor: string; action: string; detail: Record<string, unknown> }>(
    "SELECT actor, action, detail FROM audit_log WHERE workspace_id = $1 ORDER BY at, id",
    [id],
  );

describe("a write that needs approval", () => {
  test("waits, is done once it is approved, and its agent sees both", async () => {
    const { stage, ask, person, see, facts } = await setUp();
    const id = await ask();
    expect(await facts()).toEqual([]);
    expect(await see(id)).toMatchObject({ status: "pending", operation: "saveFact", result: null, decided_by: null });
    const ada = await person("member");
    const { status, body } = await ada.approve(id);
    expect([status, body.status]).toEqual([200, "approved"]);
    expect(await facts()).toEqual(["Series B fintechs"]);
    expect(await see(id)).toMatchObject({
      status: "approved",
      result: { section: "ICP", fact: { content: "Series B fintechs", source: "api" } },
      decided_by: expect.stringContaining("@people.example"),
    });
    expect(await auditOf(stage)).toMatchObject([
      {
        actor: expect.stringMatching(/^user:/),
        action: "change.approved",
        detail: { operation: "saveFact", asked_by: "test" },
      },
    ]);
  });

  test("shows a secret once, to who approves, and keeps none", async () => {
    const { ask, person, see } = await setUp();
    const id = await ask({ url: "https://hooks.example.com", events: ["note.saved"] }, "/v2/workspace/triggers");
    const { body: answer } = await (await person("owner")).approve(id);
    expect(answer).toMatchObject({
      status: "approved",
      result: { ok: true, trigger: { events: ["note.saved"] }, secret: expect.stringMatching(/^whsec_\S{44}$/) },
    });
    const kept = await see(id);
    expect(kept).toMatchObject({ result: { ok: true, trigger: { events: ["note.saved"] }, secret: "••••••••" } });
    expect(JSON.stringify(kept)).not.toContain("whsec_");
    const [stored] = await inspect<{ result: string }>("SELECT result FROM approvals WHERE id = $1", [id]);
    expect(stored?.result).not.toContain("whsec_");
    const { trigger } = answer.result as { trigger: { id: string } };
    const rotated = await ask({}, `/v2/workspace/triggers/${trigger.id}/rotate-secret`);
    const { body: again } = await (await person("owner")).approve(rotated);
    expect(again.result).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect(await see(rotated)).toMatchObject({ status: "approved", result: { secret: "••••••••" } });
  });

  test("is not done when it is rejected, and its agent sees why", async () => {
    const { ask, person, see, facts } = await setUp();
    const id = await ask();
    expect((await (await person("member")).reject(id, " We still sell to Series A. ")).status).toBe(200);
    expect(await see(id)).toMatchObject({ status: "rejected", reason: "We still sell to Series A.", result: null });
    expect(await facts()).toEqual([]);
  });

  test("stays the key's: actor, source and client are those of the request", async () => {
    const { stage, key, person } = await setUp();
    const body = { focus: "anna@acme.com", observations: [{ kind: "state", property: "job_title", value: "CFO" }] };
    const headers = { "x-service-client": "acme-outreach/1.4" };
    const asked = await call("/v2/observations", { key, body, headers });
    await (await person("owner")).approve(asked.body.approval_id as string);
    const [row] = await inspect<{ actor: string; source: string; client: string; method: string }>(
      "SELECT actor, source, client, method FROM observations WHERE workspace_id = $1 AND property = 'job_title'",
      [stage.id],
    );
    expect(row).toMatchObject({
      actor: expect.stringMatching(/^api_key:/),
      source: "api",
      client: "acme-outreach/1.4",
      method: "observed",
    });
  });

  test("that the operation refuses when it is done ends as failed, with the error, and nothing is written", async () => {
    const { stage, plain, ask, person, see } = await setUp();
    const first = await call("/v2/workspace/facts", { key: plain, body: fact("one") });
    const { id: old } = first.body.fact as { id: string };
    const id = await ask({ ...fact("two"), supersedes: old });
    await call("/v2/workspace/facts", { key: plain, body: { ...fact("three"), supersedes: old } });
    const before = await stage.rows();
    const { status, body } = await (await person("member")).approve(id);
    expect([status, body.status]).toEqual([200, "failed"]);
    expect(await see(id)).toMatchObject({ status: "failed", result: { error: "fact_already_superseded" } });
    const after = await stage.rows();
    expect(after).toEqual({ ...before, audit_log: (before.audit_log ?? 0) + 1, members: (before.members ?? 0) + 1 });
  });

  test("is decided once by two people at once, whatever they decide", async () => {
    const { ask, person, facts, see } = await setUp();
    const people = [await person("member"), await person("admin"), await person("owner")] as const;
    for (let round = 0; round < 5; round++) {
      const id = await ask(fact(`text ${round}`));
      const answers = await Promise.all([
        people[0].approve(id),
        people[1].approve(id),
        people[2].reject(id),
        people[0].reject(id),
      ]);
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const { status, body } of answers.filter((one) => one.status !== 200))
        expect([status, body.error]).toEqual([409, "approval_decided"]);
      const { status } = await see(id);
      expect(status).toBe(won[0]?.body.status);
      expect((await facts()).includes(`text ${round}`)).toBe(status === "approved");
    }
  });

  test("runs once when the approval is repeated with its Idempotency-Key", async () => {
    const { stage, ask, facts } = await setUp();
    const id = await ask({ section: "Notes", content: "once" });
    const { cookie } = await stage.person("owner");
    const headers = { cookie, origin: url(), "sec-fetch-site": "same-origin", "idempotency-key": "approve-1" };
    const again = () => call(`/api/app/${stage.id}/approvals/${id}/approve`, { headers, body: {} });
    const [first, second] = [await again(), await again()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(await facts()).toEqual(["once"]);
  });
});

test("what only previews needs no approval", async () => {
  const { stage, key, see } = await setUp();
  const [keep, drop] = [await stage.entity("person"), await stage.entity("person")];
  const preview = await call("/v2/accounts/merge", { key, body: { keep, drop, dry_run: true } });
  expect([preview.status, preview.body.dry_run]).toEqual([200, true]);
  const merge = await call("/v2/accounts/merge", { key, body: { keep, drop } });
  expect(merge.status).toBe(202);
  expect(await see(merge.body.approval_id as string)).toMatchObject({ status: "pending", operation: "mergeAccounts" });
});

describe("who may decide", () => {
  test("a member decides what members may do, and only an admin what needs an admin", async () => {
    const { stage, ask, person } = await setUp();
    const anna = await stage.anna();
    const id = await ask({ focus: anna }, "/v2/accounts/erase");
    const [member, admin] = [await person("member"), await person("admin")];
    for (const { status, body } of [await member.approve(id), await member.reject(id)])
      expect([status, body.error, body.required_role]).toEqual([403, "role_required", "admin"]);
    const changes = await member.to(`/approvals/${id}/changes`);
    expect(changes.body).toMatchObject({ may_decide: false, required_role: "admin", about: { id: anna } });
    expect((await admin.approve(id)).body).toMatchObject({ status: "approved", result: { entity_id: anna } });
    expect(await auditOf(stage)).toMatchObject([
      {
        actor: expect.stringMatching(/^api_key:/),
        action: "person.erased",
        detail: { approved_by: expect.any(String) },
      },
      { action: "change.approved" },
    ]);
  });

  test("no key decides, not even its own", async () => {
    const { key, plain, ask, see } = await setUp();
    const id = await ask();
    for (const by of [key, plain])
      for (const verb of ["approve", "reject"])
        for (const path of [`/v2/approvals/${id}/${verb}`, `/approvals/${id}/${verb}`])
          expect((await call(path, { key: by, body: {} })).status).toBeGreaterThanOrEqual(400);
    expect(await see(id)).toMatchObject({ status: "pending" });
  });
});

describe("reading", () => {
  test("a key sees its own, also those from before it was rotated; people see all", async () => {
    const { stage, key, ask, person } = await setUp();
    const id = await ask();
    const other = await stage.key(["write"], { approval: "writes" });
    expect((await call(`/v2/approvals/${id}`, { key: other })).body.error).toBe("approval_not_found");
    expect((await call("/v2/approvals", { key: other })).body).toMatchObject({ approvals: [], pending: 0 });
    const owner = await person("owner");
    expect((await owner.to("/v2/approvals?status=pending")).body).toMatchObject({ approvals: [{ id }], pending: 1 });
    const [row] = await inspect<{ asker_id: string }>("SELECT asker_id FROM approvals WHERE id = $1", [id]);
    const rotated = await owner.to(`/api-keys/${row?.asker_id}/rotate`, { overlap_hours: 1 });
    expect(rotated.body.key).toMatchObject({ approval: "writes" });
    for (const by of [key, rotated.body.api_key as string])
      expect((await call(`/v2/approvals/${id}`, { key: by })).body).toMatchObject({ id, status: "pending" });
  });

  test("pages go on by cursor, filtered by status", async () => {
    const { key, ask, person } = await setUp();
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.unshift(await ask(fact(`${at}`)));
    const member = await person("member");
    await member.reject(ids[1] as string);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await call(`/v2/approvals?status=pending&limit=2${cursor && `&cursor=${cursor}`}`, { key });
      seen.push(...(page.body.approvals as { id: string }[]).map((one) => one.id));
      expect(page.body.pending).toBe(4);
      cursor = (page.body.next_cursor as string | null) ?? "";
    } while (cursor !== "");
    expect(seen).toEqual(ids.filter((_, at) => at !== 1));
  });

  test("neither approvals nor decisions cross from one workspace to another", async () => {
    const [one, two] = [await setUp(), await setUp()];
    const id = await one.ask();
    const stranger = await two.person("owner");
    for (const answer of [
      await call(`/v2/approvals/${id}`, { key: two.key }),
      await stranger.to(`/v2/approvals/${id}`),
      await stranger.to(`/approvals/${id}/changes`),
      await stranger.approve(id),
      await stranger.reject(id),
    ])
      expect([answer.status, answer.body.error]).toEqual([404, "approval_not_found"]);
    expect((await stranger.to("/v2/approvals")).body).toMatchObject({ approvals: [], pending: 0 });
    expect(await one.see(id)).toMatchObject({ status: "pending" });
  });
});

describe("what a person sees before deciding", () => {
  const changesOf = async (body: object, path: string, first?: (stage: Stage) => Promise<unknown>) => {
    const { stage, ask, person } = await setUp();
    await first?.(stage);
    const id = await ask(body, path);
    return (await (await person("owner")).to(`/approvals/${id}/changes`)).body;
  };

  test("a section of the profile now and then", async () => {
    const first = (stage: Stage) => stage.run("saveFact", fact("Series A fintechs"));
    expect(await changesOf(fact("Series B fintechs"), "/v2/workspace/facts", first)).toMatchObject({
      about: { type: "workspace" },
      changes: [{ label: "ICP", kind: "text", before: "Series A fintechs", after: "Series B fintechs" }],
    });
  });

  test("properties of a person now and then", async () => {
    const observations = [
      { kind: "state", property: "job_title", value: "CEO" },
      { kind: "event", property: "interaction.call", value: { description: "Talked" } },
    ];
    const seen = await changesOf({ focus: "anna@acme.com", observations }, "/v2/observations", (stage) => stage.anna());
    expect(seen).toMatchObject({
      about: { type: "person", name: "anna@acme.com" },
      is_new: false,
      changes: [
        { label: "Job title", before: "Head of Sales", after: "CEO" },
        { label: "Call", before: null },
      ],
    });
    const person = await changesOf({ email: "new@acme.com", first_name: "Nina" }, "/v2/people");
    expect(person).toMatchObject({ about: null, is_new: true });
    expect(person.changes).toContainEqual({ label: "First name", kind: "value", before: null, after: "Nina" });
  });

  test("never a secret, which is kept encrypted", async () => {
    const { stage, ask, person } = await setUp();
    const secret = `whsec_${"b".repeat(43)}=`;
    const id = await ask({ provider: "fathom", credentials: { signing_secret: secret } }, "/v2/workspace/integrations");
    const owner = await person("owner");
    const told = JSON.stringify([
      (await owner.to(`/approvals/${id}/changes`)).body,
      (await owner.to("/v2/approvals")).body,
    ]);
    expect(told).toContain("fathom");
    expect(told).not.toContain(secret);
    const [row] = await inspect<{ input: string; encrypted: boolean }>(
      "SELECT input, encrypted FROM approvals WHERE workspace_id = $1",
      [stage.id],
    );
    expect(row?.encrypted).toBe(true);
    expect(row?.input).not.toContain(secret);
    expect((await owner.approve(id)).body).toMatchObject({ status: "approved" });
    expect((await owner.to("/integrations/fathom")).body).toMatchObject({ provider: "fathom", connected: true });
  });
});

describe("an end without a decision", () => {
  test("comes after 14 days, for the reader at once and for the record with the maintenance", async () => {
    const { stage, ask, person, see } = await setUp();
    const id = await ask();
    await inspect("UPDATE approvals SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    expect(await see(id)).toMatchObject({ status: "expired" });
    expect((await (await person("owner")).approve(id)).body).toMatchObject({
      error: "approval_decided",
      status: "expired",
    });
    expect(await sweepApprovals(stage.id)).toBe(false);
    expect(await inspect("SELECT status FROM approvals WHERE id = $1", [id])).toEqual([{ status: "expired" }]);
    await inspect("UPDATE approvals SET decided_at = now() - interval '91 days' WHERE id = $1", [id]);
    await sweepApprovals(stage.id);
    expect(await inspect("SELECT id FROM approvals WHERE id = $1", [id])).toEqual([]);
  });

  test("comes with the revocation of the key, or of its successor", async () => {
    const { ask, person } = await setUp();
    const id = await ask();
    const owner = await person("owner");
    const [row] = await inspect<{ asker_id: string }>("SELECT asker_id FROM approvals WHERE id = $1", [id]);
    const rotated = await owner.to(`/api-keys/${row?.asker_id}/rotate`, { overlap_hours: 1 });
    await owner.to(`/api-keys/${(rotated.body.key as { id: string }).id}/revoke`, {});
    expect((await owner.approve(id)).body).toMatchObject({ error: "approval_decided", status: "cancelled" });
    expect((await owner.to(`/v2/approvals/${id}`)).body).toMatchObject({ reason: "The API key was revoked." });
  });

  test("a request that races with the revocation of its key is cancelled or refused, never left waiting", async () => {
    for (let round = 0; round < 5; round++) {
      const { stage, key, person } = await setUp();
      const owner = await person("owner");
      const [row] = await inspect<{ id: string }>(
        "SELECT id FROM api_keys WHERE workspace_id = $1 AND approval = 'writes'",
        [stage.id],
      );
      await call("/v2/workspace/facts", { key });
      const asked = Array.from({ length: 4 }, (_, at) => call("/v2/workspace/facts", { key, body: fact(`${at}`) }));
      const [, ...answers] = await Promise.all([owner.to(`/api-keys/${row?.id}/revoke`, {}), ...asked]);
      for (const { status } of answers) expect([202, 401]).toContain(status);
      expect(
        await inspect("SELECT id FROM approvals WHERE workspace_id = $1 AND status = 'pending'", [stage.id]),
      ).toEqual([]);
    }
  });

  test("comes with the erasure of the person it is about, and takes their data with it", async () => {
    const { stage, plain, ask, see } = await setUp();
    await stage.anna();
    const id = await ask({ focus: "anna@acme.com", content: "Anna wants SSO." }, "/v2/notes");
    const other = await ask();
    await call("/v2/accounts/erase", { key: plain, body: { focus: "anna@acme.com" } });
    expect(await see(id)).toMatchObject({ status: "cancelled", summary: "Save a note on someone" });
    expect(await see(other)).toMatchObject({ status: "pending" });
    expect(await inspect("SELECT input, result FROM approvals WHERE id = $1", [id])).toEqual([
      { input: "{}", result: null },
    ]);
  });

  test("stays when it is about someone whose address only contains that of an erased person", async () => {
    const { stage, plain, ask, see } = await setUp();
    await stage.anna();
    await call("/v2/people", { key: plain, body: { email: "joanna@acme.com" } });
    const joanna = await ask({ focus: "joanna@acme.com", content: "Joanna wants SSO." }, "/v2/notes");
    const anna = await ask({ focus: "joanna@acme.com", content: "Met with\nanna@acme.com." }, "/v2/notes");
    await call("/v2/accounts/erase", { key: plain, body: { focus: "anna@acme.com" } });
    expect(await see(joanna)).toMatchObject({ status: "pending" });
    expect(await see(anna)).toMatchObject({ status: "cancelled" });
  });
});

describe("limits", () => {
  const repeat = (id: string, times: number) =>
    inspect(
      `INSERT INTO approvals (workspace_id, id, operation, input, encrypted, size, actor, asker_id, scopes, request_id, expires_at)
       SELECT workspace_id, gen_random_uuid(), operation, input, encrypted, size, actor, asker_id, scopes, request_id, expires_at
       FROM approvals, generate_series(1, $2::int) WHERE id = $1`,
      [id, times],
    );

  test("a key may have so many waiting, counted exactly when they come at once", async () => {
    const { stage, key, ask, person } = await setUp();
    const id = await ask();
    await repeat(id, MOST_PENDING - 3);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call("/v2/workspace/facts", { key, body: fact("x") })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: "too_many_approvals",
      limit: MOST_PENDING,
    });
    const other = await stage.key(["write"], { approval: "writes" });
    expect((await call("/v2/workspace/facts", { key: other, body: fact("x") })).status).toBe(202);
    await (await person("member")).reject(id);
    expect((await call("/v2/workspace/facts", { key, body: fact("x") })).status).toBe(202);
  });

  test("also with the keys that rotation made of it, which do not add room", async () => {
    const { key, ask, person, stage } = await setUp();
    const id = await ask();
    await repeat(id, MOST_PENDING - 3);
    const [asker] = await inspect<{ id: string }>("SELECT asker_id AS id FROM approvals WHERE id = $1", [id]);
    const { headers } = await person("admin");
    const rotate = async (of: string) =>
      (await call(`/api/app/${stage.id}/api-keys/${of}/rotate`, { headers, body: { overlap_hours: 1 } })).body as {
        api_key: string;
        key: { id: string };
      };
    const second = await rotate(asker?.id ?? "");
    const third = await rotate(second.key.id);
    const keys = [key, second.api_key, third.api_key];
    const answers = await Promise.all(
      [...keys, ...keys].map((one) => call("/v2/workspace/facts", { key: one, body: fact("x") })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409, 409, 409, 409]);
  });

  test("and so many bytes", async () => {
    const { key } = await setUp();
    const body = { focus: "anna@acme.com", content: "x".repeat(2_000_000), title: "long" };
    const statuses: number[] = [];
    for (let at = 0; at < 17; at++) statuses.push((await call("/v2/notes", { key, body })).status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(16);
    expect(statuses.at(-1)).toBe(409);
  });
});

describe("a key's need of approval", () => {
  test("is changed by admins, from the next request on, and is in the audit log", async () => {
    const { stage, plain, person, ask, facts } = await setUp();
    const [row] = await inspect<{ id: string }>(
      "SELECT id FROM api_keys WHERE workspace_id = $1 AND approval = 'none'",
      [stage.id],
    );
    const [admin, member] = [await person("admin"), await person("member")];
    const change = (by: typeof admin, approval: string) =>
      call(`/api/app/${stage.id}/api-keys/${row?.id}`, { method: "PATCH", body: { approval }, headers: by.headers });
    expect((await change(member, "writes")).status).toBe(403);
    expect((await call("/v2/workspace/facts", { key: plain, body: fact("a") })).status).toBe(201);
    expect((await change(admin, "writes")).body).toMatchObject({ key: { approval: "writes" } });
    expect((await call("/v2/workspace/facts", { key: plain, body: fact("b") })).status).toBe(202);
    expect((await change(admin, "none")).body).toMatchObject({ key: { approval: "none" } });
    expect((await call("/v2/workspace/facts", { key: plain, body: fact("c") })).status).toBe(201);
    expect(await facts()).toEqual(["c"]);
    await ask();
    expect((await auditOf(stage)).map(({ action, detail }) => [action, detail.approval])).toEqual([
      ["api_key.changed", "writes"],
      ["api_key.changed", "none"],
    ]);
  });
});
