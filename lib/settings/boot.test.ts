import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getBoot, onShutdown, runShutdown } from "./boot.ts";

const key = Symbol.for("rapport.boot");

describe("the boot record", () => {
  const forget = () => {
    delete (globalThis as unknown as Record<symbol, unknown>)[key];
  };
  beforeEach(forget);
  afterEach(forget);

  it("falls back to the environment outside the launcher", () => {
    vi.stubEnv("DATABASE_URL", "postgres://u:p@db.example/rapport");
    vi.stubEnv("SESSION_SECRET", "s".repeat(32));
    vi.stubEnv("ENCRYPTION_KEY", `k:${Buffer.alloc(32).toString("base64")}`);
    expect(getBoot().databaseUrl).toBe("postgres://u:p@db.example/rapport");
  });

  it("says how to start when there is no database", () => {
    vi.stubEnv("DATABASE_URL", "");
    expect(() => getBoot()).toThrow(/start Rapport with `npm start`/);
  });

  it("closes the last registered first, once, and goes on after a failure", async () => {
    const order: string[] = [];
    onShutdown(() => void order.push("pool"));
    onShutdown(() => Promise.reject(new Error("stuck")));
    onShutdown(() => void order.push("worker"));
    expect(await runShutdown()).toEqual([new Error("stuck")]);
    expect(await runShutdown()).toEqual([]);
    expect(order).toEqual(["worker", "pool"]);
  });
});
