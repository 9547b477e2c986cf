import { describe, expect, it } from "vitest";
import { freePort } from "./launch.ts";
import { describeUrl, requireUsableDatabase } from "./probe.ts";

describe("a database that someone else runs", () => {
  it("is described without the password", () => {
    expect(describeUrl("postgres://me:sekret@db.example/rapport?sslmode=require")).toBe("db.example:5432/rapport");
  });

  it("is named with the reason when it cannot be reached", async () => {
    const port = await freePort();
    await expect(requireUsableDatabase(`postgres://me:sekret@127.0.0.1:${port}/rapport`)).rejects.toThrow(
      `DATABASE_URL: cannot connect to 127.0.0.1:${port}/rapport: nothing listens there.`,
    );
  });
});
