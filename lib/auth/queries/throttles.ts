import type pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";

/** Counters in the table `throttles`, shared by every instance. */
export const countersOn = (pool: pg.Pool, name: string, points: number, seconds: number): RateLimiterPostgres =>
  new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "throttles",
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
  });
