import { z } from "zod";
import { stages } from "#lib/domain/crm/recording/contract.ts";

export const Stage = z
  .enum(stages)
  .meta({ id: "Stage", description: "How far a person is, from first heard of to client." });
export type Stage = z.output<typeof Stage>;

export const Status = z
  .enum(["active", "archived"])
  .meta({ id: "RecordStatus", description: "`archived` records are left out of lists, and keep everything." });

export const Custom = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .meta({ id: "CustomProperties", description: "Custom properties by name." });

export const text = (about: string) => z.string().nullable().describe(about);
export const OWNER = "E-mail address of the member who owns the record. It stays when they leave the workspace.";

export const UPDATED =
  "When anything was last recorded about it, or its own values changed: values, confirmations, activities, addresses, status, merges, the name of its company. For a company also its people's activity, but not how many people it has.";
