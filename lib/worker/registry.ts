import { schedules as bookingSchedules, jobs as bookings } from "#lib/domain/bookings/jobs.ts";
import { jobs as connections } from "#lib/domain/connections/jobs.ts";
import { jobs as inbound, retentionSchedule } from "#lib/domain/inbound/jobs.ts";
import { sweepSchedule } from "#lib/domain/outbox/jobs.ts";
import type { JobHandler, Schedule } from "#lib/jobs/handler.ts";
import { tidySchedule } from "./tidy.ts";

/** Every kind of job there is. */
export const handlers: readonly JobHandler[] = [...connections, ...bookings, ...inbound];

/** What is done at set times for the whole installation. */
export const schedules: readonly Schedule[] = [tidySchedule, ...bookingSchedules, retentionSchedule, sweepSchedule];
