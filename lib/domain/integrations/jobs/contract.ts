import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Timestamp } from "#lib/core/schema.ts";

const tag = "Jobs";

export const JobState = z
  .enum(["waiting", "scheduled", "running", "retrying", "failed"])
  .describe("`retrying`: failed and will be tried again at `run_at`. `failed`: given up.");
export type JobState = z.output<typeof JobState>;

const JobId = z.string().regex(/^\d{1,18}$/, "must be the id of a job");

export const Job = z.strictObject({
  id: JobId,
  kind: z.string(),
  label: z.string(),
  state: JobState,
  attempts: z.int(),
  max_attempts: z.int(),
  last_error: z.string().nullable(),
  run_at: Timestamp.describe("When it runs, or ran, at the earliest."),
  created_at: Timestamp,
});
export type Job = z.output<typeof Job>;

const count = z.int();
export const JobQueue = z.strictObject({
  kind: z.string(),
  label: z.string(),
  waiting: count,
  scheduled: count,
  running: count,
  retrying: count,
  failed: count,
});
export type JobQueue = z.output<typeof JobQueue>;

export const listJobs = defineOperation({
  name: "listJobs",
  tag,
  summary: "What the workspace has queued, and what failed",
  description: "Up to 200 jobs, failures first. A job that is done is not listed.",
  surface: "app",
  scope: "read",
  role: "admin",
  http: { method: "GET", path: "/jobs" },
  input: z.strictObject({}),
  output: z.strictObject({ queues: z.array(JobQueue), jobs: z.array(Job) }),
  example: {
    input: {},
  },
});

export const retryJob = defineOperation({
  name: "retryJob",
  tag,
  summary: "Run a job now, its attempts counted again",
  description: "404 `job_not_found` also for one that is running or done.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/jobs/:job/retry" },
  input: z.strictObject({ job: JobId }),
  output: z.strictObject({ ok: z.literal(true) }),
  errors: ["job_not_found"],
  codes: { fields: { job: "job_not_found" } },
  example: { input: { job: "42" } },
});
