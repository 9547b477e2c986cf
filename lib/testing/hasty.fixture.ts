/** Imported before the script of a process that a test kills, or whose database it takes away: what has died is noticed sooner. */
import { patience } from "#lib/worker/patience.ts";

Object.assign(patience, { restartMs: 300, sweepMs: 500, scanMs: 1_000 });
