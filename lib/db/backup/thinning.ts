import { DAY_MS } from "#lib/text/time.ts";
import type { ListedBackup } from "./manifest.ts";

/** The newest backup of each day, week (from Monday) and month (UTC) is kept for so many of them. */
const PERIODS: readonly { newest: number; of: (time: Date) => string }[] = [
  { newest: 7, of: (time) => time.toISOString().slice(0, 10) },
  { newest: 4, of: (time) => String(Math.floor((time.getTime() / DAY_MS + 3) / 7)) },
  { newest: 12, of: (time) => time.toISOString().slice(0, 7) },
];
export const BEFORE_UPGRADES = 2;

/**
 * The backups that are no longer kept. Kept are those of the last 24 hours, the newest of the last days, weeks and months, the
 * newest that was proved whole, and the last two made before an upgrade. `backups`: newest first.
 */
export function superfluousBackups<B extends Pick<ListedBackup, "manifest" | "proof">>(
  backups: readonly B[],
  now: number,
): B[] {
  const made = ({ manifest }: B) => new Date(manifest.made_at);
  const ordinary = backups.filter(({ manifest }) => manifest.reason === undefined);
  const kept = new Set<B>([
    ...ordinary.slice(0, 1),
    ...ordinary.filter((backup) => made(backup).getTime() > now - DAY_MS),
    ...backups.filter(({ proof }) => proof?.wrong.length === 0).slice(0, 1),
    ...backups.filter(({ manifest }) => manifest.reason === "upgrade").slice(0, BEFORE_UPGRADES),
  ]);
  for (const { newest, of } of PERIODS) {
    const periods = new Set<string>();
    for (const backup of ordinary) {
      const period = of(made(backup));
      if (periods.has(period)) continue;
      if (periods.size === newest) break;
      periods.add(period);
      kept.add(backup);
    }
  }
  return backups.filter((backup) => !kept.has(backup));
}
