import { expect, test } from "vitest";
import type { ListedBackup } from "./manifest.ts";
import { superfluousBackups } from "./thinning.ts";

const HOUR = 3_600_000;
const now = Date.parse("2026-11-26T12:00:00Z"); // a Thursday

type TestBackup = Omit<ListedBackup, "storage">;

function backup(hours: number, { reason, wrong }: { reason?: "upgrade"; wrong?: string[] } = {}): TestBackup {
  const made_at = new Date(now - hours * HOUR).toISOString();
  return {
    name: made_at,
    manifest: { made_at, ...(reason && { reason }) } as ListedBackup["manifest"],
    proof: wrong === undefined ? null : ({ wrong } as ListedBackup["proof"]),
  };
}

const keptOf = (backups: TestBackup[]): TestBackup[] => {
  const dropped = superfluousBackups(backups, now);
  return backups.filter((each) => !dropped.includes(each));
};

/** What is kept when a backup is made every `every` hours and thinned out each time, for so many hours. */
function keptAfter(hours: number, every: number): string[] {
  let made: number[] = [];
  for (let at = -hours; at <= 0; at += every) {
    const backups = [at, ...made].map((time) => backup(-time));
    const dropped = superfluousBackups(backups, now + at * HOUR).map(({ name }) => name);
    made = [at, ...made].filter((time) => !dropped.includes(backup(-time).name));
  }
  return made.map((time) => backup(-time).name.slice(0, 13));
}

test("seven days, four weeks and twelve months are kept of daily backups, however often it is asked", () => {
  expect(keptAfter(24 * 400, 24).map((time) => time.slice(0, 10))).toEqual([
    ...["2026-11-26", "2026-11-25", "2026-11-24", "2026-11-23", "2026-11-22", "2026-11-21", "2026-11-20"],
    ...["2026-11-15", "2026-11-08"],
    ...["2026-10-31", "2026-09-30", "2026-08-31", "2026-07-31", "2026-06-30", "2026-05-31", "2026-04-30"],
    ...["2026-03-31", "2026-02-28", "2026-01-31", "2025-12-31"],
  ]);
});

test("all of the last 24 hours are kept, and of earlier days the last one", () => {
  expect(keptAfter(24 * 3, 6)).toEqual([
    ...["2026-11-26T12", "2026-11-26T06", "2026-11-26T00", "2026-11-25T18"],
    ...["2026-11-24T18", "2026-11-23T18"],
  ]);
});

test("the newest that was proved whole is kept, and so are the last two before upgrades, beside the others", () => {
  const proved = backup(24 * 500, { wrong: [] });
  const older = backup(24 * 501, { wrong: [] });
  const broken = backup(24 * 499, { wrong: ["people: 1 rows, 2 to 2 were backed up."] });
  const upgrades = [30, 31, 32].map((hours) => backup(hours, { reason: "upgrade" }));
  const daily = Array.from({ length: 500 }, (_, day) => backup(24 * day));
  expect(superfluousBackups([backup(24 * 900)], now)).toEqual([]);
  const kept = keptOf([...upgrades, ...daily, broken, proved, older]);
  expect(kept).toEqual(expect.arrayContaining([proved, ...upgrades.slice(0, 2)]));
  for (const each of [broken, older, upgrades[2]]) expect(kept).not.toContain(each);
});
