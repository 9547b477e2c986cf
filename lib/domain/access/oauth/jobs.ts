import type { Maintenance, Schedule } from "#lib/jobs/handler.ts";
import { sweepClients, sweepTokens } from "./service.ts";

export const maintenance: readonly Maintenance[] = [{ name: "expired tokens", step: sweepTokens }];

export const schedules: readonly Schedule[] = [{ name: "oauth:tidy", pattern: "27 3 * * *", run: sweepClients }];
