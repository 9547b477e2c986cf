import { describe, expect, test } from "vitest";
import type { DatabaseObject } from "#lib/db/objects.ts";
import { worstOf } from "#lib/domain/workspace/checks/words.ts";
import * as ofAddresses from "./rules/address.ts";
import * as ofCopies from "./rules/backups.ts";
import * as ofDatabase from "./rules/database.ts";
import type { Finding } from "./rules/finding.ts";
import * as ofMachine from "./rules/machine.ts";
import { buildOf, driftOf, mendingOf, ofIndexes, ofSchema, ownOf } from "./rules/schema.ts";
import * as ofStopped from "./rules/workspaces.ts";

const rules = { ...ofAddresses, ...ofCopies, ...ofDatabase, ...ofMachine, ...ofStopped };

const GB = 1e9;
const DAY_MS = 86_400_000;
const now = new Date("2026-11-26T12:00:00Z");
const ago = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
const disk = (free: number, total: number, freeFiles = 1e6, files = 1e7) =>
  rules.ofDisk("/data", { free, total, freeFiles, files });
const backup = (age: number, verified: number | null = age, wrong: string[] = []) =>
  rules.ofBackups("/backups", { madeAt: ago(age), verifiedAt: verified === null ? null : ago(verified), wrong }, now);
const stopped = (workspace: string, triggers: number, connections = 0, keys = 0, pushTries = 0) => ({
  workspace,
  triggers,
  connections,
  keys,
  clients: 0,
  mailboxes: 0,
  pushTries,
});
const asked = (says: "accepted" | "refused" | "nothing" | "unreadable", endsIn: number | null = null) => ({
  ...{ workspace: "Acme", provider: "Attio", says },
  endsAt: endsIn === null ? null : new Date(now.getTime() + endsIn * 86_400_000),
});

describe("the doctor says", () => {
  test.each<[finding: Finding, state: Finding["state"], says: RegExp]>([
    [disk(200 * GB, 1000 * GB), "fine", /^200 GB of 1,000 GB are free/],
    [disk(9 * GB, 20 * GB), "fine", /free/],
    [disk(9 * GB, 100 * GB), "warning", /9 GB of 100 GB left/],
    [disk(0.4 * GB, 2 * GB), "failing", /0\.4 GB left/],
    [disk(200 * GB, 1000 * GB, 50, 1e6), "failing", /only 50 more files/],
    [disk(200 * GB, 1000 * GB, 0, 0), "fine", /free/],
    [disk(Number.POSITIVE_INFINITY, 0), "fine", /does not say/],
    [rules.ofMemory(0.5 * GB), "warning", /0\.5 GB/],
    [rules.ofMemory(2 * GB), "fine", /2 GB/],
    [rules.ofSecrets("/data/secrets.json", 0o100600), "fine", /Only its owner/],
    [rules.ofSecrets("/data/secrets.json", 0o100640), "failing", /Other users/],
    [rules.ofSecrets("/data/secrets.json", undefined), "fine", /Only its owner/],
    [rules.ofSecrets("/data/secrets.json", null), "warning", /no \/data\/secrets\.json/],
    [rules.ofAddress({ HOST: "127.0.0.1" }), "fine", /Only this machine/],
    [rules.ofAddress({ HOST: "0.0.0.0" }), "warning", /APP_URL is not set/],
    [rules.ofAddress({ HOST: "0.0.0.0", APP_URL: "http://crm.acme.com" }), "failing", /not encrypted/],
    [rules.ofAddress({ HOST: "0.0.0.0", APP_URL: "http://localhost:3000" }), "fine", /People open/],
    [rules.ofAddress({ HOST: "0.0.0.0", APP_URL: "https://crm.acme.com" }), "fine", /People open/],
    [rules.ofReach("https://crm.acme.com", { status: 200 }), "fine", /answers/],
    [rules.ofBreached("https://range.example", true), "fine", /looked for/],
    [rules.ofBreached("https://range.example", false), "warning", /does not know the commonest/],
    [rules.ofBreached("https://range.example", { error: "it answered 404" }), "warning", /it answered 404/],
    [rules.ofPlain("http://crm.acme.com", null), "fine", /Nothing is served/],
    [rules.ofPlain("http://crm.acme.com", { status: 301, to: "https://crm.acme.com/healthz" }), "fine", /Nothing/],
    [rules.ofPlain("http://crm.acme.com", { status: 302, to: "http://crm.acme.com/x" }), "warning", /answers 302/],
    [rules.ofPlain("http://crm.acme.com", { status: 200, to: null }), "warning", /answers 200 without encryption/],
    [rules.ofReach("https://crm.acme.com", { status: 502 }), "failing", /answers 502/],
    [rules.ofReach("https://crm.acme.com", { error: "certificate has expired" }), "failing", /certificate has expired/],
    [rules.ofClock(-4_999), "fine", /agree/],
    [rules.ofClock(5_000), "warning", /5 s apart/],
    [rules.ofClock(-61_000), "failing", /61 s apart/],
    [rules.ofVersion(140012), "failing", /Postgres 14 is too old/],
    [rules.ofVersion(150003), "fine", /Postgres 15\.3/],
    [rules.ofSettings({ fsync: "on", full_page_writes: "on", synchronous_commit: "on" }), "fine", /survives/],
    [rules.ofSettings({ fsync: "on", synchronous_commit: "local" }), "fine", /survives/],
    [rules.ofSettings({ fsync: "off", synchronous_commit: "off" }), "failing", /^fsync, synchronous_commit are off/],
    [rules.ofMigrations([], []), "fine", /as this release needs it/],
    [rules.ofMigrations(["20270101_mail"], []), "warning", /^1 migration waits, the first is 20270101_mail/],
    [rules.ofMigrations(["20270101_mail"], ["20280101_later"]), "failing", /newer release .*20280101_later/],
    [rules.ofNode("24.9.0"), "fine", /24\.9\.0/],
    [rules.ofNode("25.1.0"), "warning", /security fixes for a few months/],
    [rules.ofLeftovers([]), "fine", /No process/],
    [rules.ofLeftovers(["/tmp/rapport-verify-1-a"]), "warning", /^1 file or folder is left .*verify-1-a/],
    [rules.ofJobs({ longest: 599_000, failed: [] }), "fine", /No job waits/],
    [rules.ofJobs({ longest: 0, failed: [{ kind: "notes:index", jobs: 3 }] }), "warning", /3 jobs were given up/],
    [
      rules.ofJobs({ longest: 3_600_000, failed: [{ kind: "notes:index", jobs: 3 }] }),
      "failing",
      /waits for 60 minutes/,
    ],
    [rules.ofBackups(undefined, null, now), "warning", /does not know/],
    [rules.ofBackups("/backups", null, now), "failing", /no backup in \/backups/],
    [backup(1), "fine", /1 day old and was restored/],
    [backup(1, null), "warning", /never restored/],
    [backup(3), "warning", /3 days old/],
    [backup(8), "failing", /8 days old/],
    [backup(1, 1, ["people: 2 rows, 3 to 3 were backed up."]), "failing", /not whole: people/],
    [rules.ofBackups("/backups", null, now, "The disk is full."), "failing", /did not work: The disk is full/],
    [rules.ofAuditPush(false, [stopped("Acme", 0, 0, 0, 3)]), "fine", /stays in the database/],
    [rules.ofAuditPush(true, [stopped("Acme", 1)]), "fine", /takes it/],
    [rules.ofAuditPush(true, [stopped("Acme", 0, 0, 0, 3)]), "failing", /did not take .* Acme \(3\)/],
    [rules.ofProviders([], 0, now), "fine", /No provider is connected/],
    [rules.ofProviders([asked("accepted", 15)], 0, now), "fine", /Every provider accepts/],
    [rules.ofProviders([asked("accepted", 13)], 0, now), "warning", /^Ends within 14 days: Acme \(Attio\)\.$/],
    [rules.ofProviders([asked("refused")], 2, now), "warning", /^Refused: Acme \(Attio\)\. 2 workspaces were left out/],
    [rules.ofProviders([asked("nothing"), asked("unreadable")], 0, now), "warning", /^Sealed .* No answer: Acme/],
    [rules.ofWorkspaces([{ ...stopped("Acme", 0), clients: 2 }])[3] as Finding, "warning", /^2 connected clients have/],
    [
      rules.ofWorkspaces([{ ...stopped("Acme", 0), mailboxes: 1 }])[4] as Finding,
      "warning",
      /^1 mailbox is not read: Acme \(1\)\.$/,
    ],
    [rules.ofProtection({ archives: true, archiveFails: false, replicas: 0 }), "fine", /archives its log/],
    [rules.ofProtection({ archives: true, archiveFails: true, replicas: 1 }), "failing", /cannot archive/],
    [rules.ofProtection({ archives: false, archiveFails: false, replicas: 1 }), "warning", /replica and no archive/],
    [rules.ofProtection({ archives: false, archiveFails: false, replicas: 0 }), "warning", /does not archive/],
    [rules.ofMail(false, null), "warning", /SMTP_URL is not set/],
    [rules.ofMail(true, null), "fine", /--mail/],
    [rules.ofMail(true, { to: "a@b.example", error: null }), "fine", /accepted/],
    [rules.ofMail(true, { to: "a@b.example", error: "535 no" }), "failing", /535 no/],
  ])("%o", (finding, state, says) => {
    expect(finding).toMatchObject({ state, says: expect.stringMatching(says) });
    expect(finding.mend !== undefined, "what is not fine can be mended").toBe(state !== "fine");
  });

  test("which workspaces something stopped in, the first five by name", () => {
    const many = Array.from({ length: 7 }, (_, n) => stopped(`Acme ${n}`, 2, n === 0 ? 1 : 0));
    const [triggers, connections, keys] = rules.ofWorkspaces(many);
    expect(triggers?.says).toMatch(/^14 triggers were stopped .*Acme 4 \(2\) and 2 more workspaces\.$/);
    expect(connections?.says).toBe("1 integration needs attention: Acme 0 (1).");
    expect(keys).toMatchObject({ state: "fine" });
  });

  test("where people go on with what a job that was given up left", () => {
    const mendOf = (...failed: [kind: string, jobs: number][]) =>
      rules.ofJobs({ longest: 0, failed: failed.map(([kind, jobs]) => ({ kind, jobs })) }).mend;
    expect(mendOf(["notes:index", 1])).toMatch(/^Settings › Jobs .*--fix runs all again\.$/);
    expect(mendOf(["exports:write", 1], ["imports:run", 1], ["imports:undo", 2])).toMatch(
      /^A person goes on .*: Settings › Export \(1\), Imports \(3\)\. /,
    );
    expect(mendOf(["imports:run", 1], ["notes:index", 1])).toMatch(/--fix runs all again\. A person goes on/);
  });

  test("as its state that of its worst part", () => {
    const [ok, warn, bad] = [rules.ofClock(0), rules.ofMemory(1), rules.ofVersion(1)];
    expect([[], [ok], [ok, warn], [warn, bad, ok]].map(worstOf)).toEqual(["fine", "fine", "warning", "failing"]);
  });
});

describe("the tables beside what the migrations make", () => {
  const part = (kind: DatabaseObject["kind"], table: string, name: string, definition = ""): DatabaseObject => ({
    kind,
    table,
    name,
    definition,
  });
  const ours = [
    part("extension", "", "pg_trgm"),
    part("table", "people", "people", "row level security, forced"),
    part("column", "people", "email", "text"),
    part("policy", "people", "tenant", "USING (a)"),
    part("index", "people", "people_idx", "CREATE INDEX people_idx ON public.people USING btree (email)"),
    part("index", "people", "people_key", "CREATE UNIQUE INDEX people_key ON public.people USING btree (email)"),
    part("trigger", "people", "people_stay", "CREATE TRIGGER"),
  ];
  const without = (...names: string[]) => ours.filter(({ name }) => !names.includes(name));
  const other = (name: string, definition: string) =>
    ours.map((each) => (each.name === name ? { ...each, definition } : each));

  test.each<[what: string, found: DatabaseObject[], schema: RegExp | null, indexes: RegExp | null]>([
    ["nothing", ours, null, null],
    [
      "what an operator added",
      [...ours, part("column", "people", "mine"), part("index", "people", "mine")],
      null,
      null,
    ],
    ["a missing column", without("email"), /1 part of .*: column people\.email is missing\.$/, null],
    ["a missing table, without its parts", [part("extension", "", "pg_trgm")], /: table people is missing\.$/, null],
    ["a missing extension", without("pg_trgm"), /extension pg_trgm is missing/, null],
    ["a column of another type", other("email", "varchar(10)"), /column people\.email differs/, null],
    ["no row level security", other("people", ""), /table people differs/, null],
    ["a missing policy", without("tenant"), /policy people\.tenant is missing/, null],
    ["one more policy", [...ours, part("policy", "people", "all")], /policy people\.all is not ours/, null],
    ["a missing index", without("people_idx"), null, /people_idx is missing/],
    ["another index", other("people_idx", "CREATE INDEX people_idx ON people (id)"), null, /people_idx differs/],
    ["a missing unique index", without("people_key"), /index people\.people_key is missing/, null],
    ["a missing trigger", without("people_stay"), /trigger people\.people_stay is missing/, null],
  ])("differ by %s", (_, found, schema, indexes) => {
    const drift = driftOf(ours, found, { isSpread: false });
    const says = [ofSchema(drift), ofIndexes([], drift)];
    expect(says[0]).toMatchObject(
      schema ? { state: "failing", says: expect.stringMatching(schema) } : { state: "fine" },
    );
    expect(says[1]).toMatchObject(
      indexes ? { state: "warning", says: expect.stringMatching(indexes) } : { state: "fine" },
    );
  });

  test("have no triggers over several machines", () => {
    expect(ofSchema(driftOf(ours, without("people_stay"), { isSpread: true })).state).toBe("fine");
  });

  test("have indexes of their own, also those that a build left beside them", () => {
    const long = `people_${"a".repeat(53)}_idx`;
    const expected = [...ours, part("index", "people", long), part("constraint", "people", "people_pkey")];
    const own = [
      "people_idx",
      "people_idx_ccnew",
      "people_idx_ccold2",
      "people_pkey_ccnew",
      `${long.slice(0, 57)}_ccnew`,
    ];
    expect(ownOf([...own, "mine", "mine_ccnew", "people_ccnew", "people_idx_2", "email"], expected)).toEqual(own);
  });

  test("are mended while others write", () => {
    const [index, unique] = ours.filter(({ kind }) => kind === "index").map(buildOf);
    expect(index).toBe("CREATE INDEX CONCURRENTLY people_idx ON public.people USING btree (email)");
    expect(unique).toMatch(/^CREATE UNIQUE INDEX CONCURRENTLY people_key /);
    expect(mendingOf('a"b')).toBe('REINDEX INDEX CONCURRENTLY "a""b"');
    expect(mendingOf("people_idx_ccnew1")).toBe('DROP INDEX CONCURRENTLY "people_idx_ccnew1"');
    expect(ofIndexes(["people_a", "people_b"], driftOf(ours, ours, { isSpread: false }))).toMatchObject({
      state: "warning",
      says: expect.stringMatching(/people_a is not usable, people_b is not usable/),
    });
  });
});
