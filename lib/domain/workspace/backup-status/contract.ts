import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Timestamp } from "#lib/core/schema.ts";

const Moments = z.strictObject({ from: Timestamp, until: Timestamp });

export const StoredBackup = z.strictObject({
  name: z.string(),
  made_at: Timestamp,
  bytes: z.int(),
  verified_at: Timestamp.nullable().describe("When it was restored for a proof."),
  is_whole: z.boolean().nullable().describe("What the proof said; null without one."),
});
export type StoredBackup = z.output<typeof StoredBackup>;

export const BackupStatus = z.strictObject({
  database: z.enum(["embedded", "own"]).describe("`own`: `DATABASE_URL` names it, and its tools back it up."),
  state: z
    .enum(["off", "fine", "late", "failing"])
    .describe("`off`: the server makes none automatically. `late`: one is missing. `failing`: the last did not work."),
  made_at: Timestamp.nullable(),
  verified_at: Timestamp.nullable(),
  next_at: Timestamp.nullable(),
  moments: Moments.nullable().describe("To which moments the database can be brought back."),
  server: z
    .strictObject({
      folder: z.string(),
      problem: z.string().nullable(),
      wrong: z.array(z.string()),
      backups: z.array(StoredBackup),
    })
    .nullable()
    .describe("For owners of the server's first workspace, where there is a folder for backups."),
});
export type BackupStatus = z.output<typeof BackupStatus>;

export const getBackups = defineOperation({
  name: "getBackups",
  tag: "Backups",
  summary: "How the backups of this server are",
  description: "They are of the whole database, with all workspaces.",
  surface: "app",
  scope: "read",
  role: "admin",
  http: { method: "GET", path: "/backups" },
  input: z.strictObject({}),
  output: BackupStatus,
  example: { input: {} },
});
