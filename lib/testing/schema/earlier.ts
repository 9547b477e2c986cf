/** The version that may run beside this one on one database, while instances are replaced one after another. */
export const EARLIER = {
  /**
   * Its commit. With each release it becomes that of the release. Until 0.2.0 there is none that can: 0.1.0 has other primary keys,
   * and is stopped before an upgrade. This is the last commit whose database this version changes without taking anything away.
   */
  commit: "4be42fb43729b738bb495b9a33f74f971c8c2f1d",
  /** Its last migration. */
  migration: "20261204063101_merge_primary",
  /** What later migrations do that it does not bear by itself, each with why it does no harm. */
  bears: {
    "ALTER TYPE \"role\" ADD VALUE 'viewer' BEFORE 'member'": "no one is a viewer before an admin makes them one",
    "ALTER TYPE \"approval_mode\" ADD VALUE 'human_fields'":
      "a client connected meanwhile would write without asking there; the guide says to wait",
    'ALTER TABLE "inbound_deliveries" FORCE ROW LEVEL SECURITY':
      "it was forced before, and the same migration lifts it",
    "ALTER TYPE \"scope\" ADD VALUE 'directory'": "no key has it before an admin makes one for a directory",
  },
} as const;
