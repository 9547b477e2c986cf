import { encode } from "next-auth/jwt";
import { startSession } from "#lib/auth/sessions.ts";
import { newId } from "#lib/core/ids.ts";
import type { Plan, Role } from "#lib/core/plans.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { operations } from "#lib/registry.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { createTestWorkspace, type TestWorkspace } from "../workspace.fixture.ts";

/** A signed-in person of a workspace. */
type Person = { userId: string; memberId: string; email: string; cookie: string };

/**
 * A workspace with what the battery needs around it. Its keys are of device logins of the first person: what only a member may call is
 * called by them too.
 */
export type Stage = TestWorkspace & {
  /** Adds a person with this role and signs them in. Whom the caller behind every transport sees as, is the first of them. */
  person(role: Role): Promise<Person>;
  /** The first person; an owner when there is none yet. What only its member may call is theirs. */
  me(): Promise<Person>;
  /** Runs an operation of the registry as the owner, behind every transport and whatever the plan: what was made before it was lowered. */
  run(operation: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The id of a new person or company of the workspace's record. */
  entity(type: "person" | "company", source?: string): Promise<string>;
  /** The id of anna@acme.com, who is in the contracts' examples: made with a job title, and acme.com, when not there yet. */
  anna(): Promise<string>;
  /** Resolves when no job of the workspace is due or under way. What is due later is put off, so that it does not begin meanwhile. */
  rested(): Promise<void>;
  /**
   * How many rows of the workspace each tenant table holds once it has rested; without counts of calls and seals of the audit log,
   * which are written a little later.
   */
  rows(): Promise<Record<string, number>>;
};

export async function createStage(plan: Plan = "scale"): Promise<Stage> {
  const workspace = await createTestWorkspace({ plan });
  let first: Person | undefined;
  const stage: Stage = {
    ...workspace,
    me: async () => first ?? stage.person("owner"),
    key: async (scopes, more) => workspace.key(scopes, { loginUserId: (await stage.me()).userId, ...more }),
    async person(role) {
      const [userId, memberId] = [newId(), newId()];
      const email = `${userId}@people.example`;
      await withoutWorkspace((db) => db.prisma.user.create({ data: { id: userId, email }, select: { id: true } }));
      await withWorkspace(workspace.id, (db) =>
        db.prisma.member.create({
          data: { workspaceId: workspace.id, id: memberId, userId, role },
          select: { id: true },
        }),
      );
      const person = { userId, memberId, email, cookie: await signIn(userId) };
      first ??= person;
      workspace.caller.viewer ??= userId;
      return person;
    },
    async run(name, input) {
      const operation = operations.find(({ contract }) => contract.name === name);
      if (!operation) throw new Error(`the registry has no operation ${name}`);
      return (await operation.execute({ ...workspace.caller, plan: "scale" }, input)) as Record<string, unknown>;
    },
    async entity(type, source = "api") {
      const focus = type === "company" ? `${newId()}.com` : `${newId()}@acme.com`;
      const observation = { kind: "state", property: "region", value: "DACH", source };
      const recorded = await stage.run("recordObservations", { focus, observations: [observation] });
      return recorded.entity_id as string;
    },
    async anna() {
      const employer = { kind: "state", property: "industry", value: "Payments", external_id: "acme" };
      await stage.run("recordObservations", { focus: "acme.com", observations: [employer] });
      const observation = { kind: "state", property: "job_title", value: "Head of Sales", external_id: "anna" };
      const { entity_id } = await stage.run("recordObservations", {
        focus: "anna@acme.com",
        observations: [observation],
      });
      return entity_id as string;
    },
    rested: () => rest(workspace.id),
    async rows() {
      await rest(workspace.id);
      return rowsOf(workspace.id);
    },
  };
  return stage;
}

async function rest(workspaceId: string): Promise<void> {
  const { restOfJobs } = await import("../jobs.fixture.ts"); // available only in a test
  await restOfJobs(workspaceId);
}

let counting: Promise<string> | null = null;

/** Counted in the database itself, from the catalog, so that a new table is counted too. */
async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const { inspect } = await import("../database.ts"); // available only in a test
  counting ??= countingText(inspect);
  const rows = await inspect<{ name: string; rows: number }>(await counting, [workspaceId], "rows");
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}

async function countingText(inspect: typeof import("../database.ts").inspect): Promise<string> {
  const tables = await inspect<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_name NOT IN ('audit_blocks', 'client_calls', 'latest_calls', 'trigger_hours') ORDER BY 1",
  );
  const count = ({ name }: { name: string }) =>
    `SELECT '${name}' AS name, count(*)::int AS rows FROM "${name}" WHERE workspace_id = $1`;
  return tables.map(count).join(" UNION ALL ");
}

/** The cookie a browser holds after signing in, in one more session of the person. */
export async function signIn(userId: string): Promise<string> {
  return cookieOf(userId, await startSession(userId, { ip: "127.0.0.1", userAgent: "test" }));
}

/** The cookie of a session that has begun. */
export async function cookieOf(userId: string, sessionId: string): Promise<string> {
  const claims = { sub: userId, sid: sessionId };
  return `next-auth.session-token=${await encode({ token: claims, secret: getBoot().secrets.sessionSecret })}`;
}
