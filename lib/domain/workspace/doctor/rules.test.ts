import { describe, expect, test } from "vitest";
import { worstOf } from "#lib/domain/workspace/checks/words.ts";
import * as rules from "./rules.ts";

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
  pushTries,
});

describe("the doctor says", () => {
  test.each<[finding: rules.Finding, state: rules.Finding["state"], says: RegExp]>([
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
    [rules.ofIndexes([]), "fine", /can be used/],
    [rules.ofIndexes(["people_a", "people_b"]), "failing", /2 indexes are not usable: people_a, people_b/],
    [rules.ofJobs({ longest: 599_000, failed: 0 }), "fine", /No job waits/],
    [rules.ofJobs({ longest: 0, failed: 3 }), "warning", /3 jobs were given up/],
    [rules.ofJobs({ longest: 3_600_000, failed: 3 }), "failing", /waits for 60 minutes/],
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

  test("as its state that of its worst part", () => {
    const [ok, warn, bad] = [rules.ofClock(0), rules.ofMemory(1), rules.ofVersion(1)];
    expect([[], [ok], [ok, warn], [warn, bad, ok]].map(worstOf)).toEqual(["fine", "fine", "warning", "failing"]);
  });
});
