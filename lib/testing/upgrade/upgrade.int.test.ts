/** A data folder of an earlier release starts on this one, and says the same. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { constants, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";

/** Of the workspace in the folder, which is of no use elsewhere. */
const KEY = "rpt_KgcnLv_sCyO2787NjYPDQnIVx9GqZR0vMhZcZHLrmilED";
const START_MS = 180_000;

const fileOf = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, name));

function unpack(dataDir: string): void {
  const params = { [constants.ZSTD_d_windowLogMax]: 27 };
  execFileSync("tar", ["-x", "-C", dataDir], { input: zstdDecompressSync(fileOf("0.1.0.tar.zst"), { params }) });
}

/** What release 0.1.0 answered, without what depends on the time and what later releases changed on purpose. */
const answers = JSON.parse(fileOf("0.1.0.json").toString()) as Record<string, object>;

describe("a data folder of 0.1.0", () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await createInstallation({}, unpack);
    await installation.start();
  }, START_MS);
  afterAll(() => installation.remove());

  const ask = async (request: string): Promise<unknown> => {
    const [method = "", address = "", ...body] = request.split(" ");
    const response = await fetch(installation.url() + address, {
      method,
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      ...(body.length > 0 ? { body: body.join(" ") } : {}),
    });
    return response.json();
  };

  test("is migrated, and answers as it did", async () => {
    for (const [request, answer] of Object.entries(answers)) expect(await ask(request), request).toMatchObject(answer);
  });

  test("takes new records beside the old ones", async () => {
    const call = JSON.stringify({
      email: "anna@globex.example",
      type: "call",
      external_id: "call-1",
      source: "dialer",
    });
    expect(await ask(`POST /api/v1/capture ${call}`)).toMatchObject({ deduplicated: true });
    expect(await ask('POST /v2/people {"email":"anna@globex.example","seniority":"c_level"}')).toMatchObject({
      created: false,
      person: { job_title: "CFO", properties: { region: "DACH", seniority: "c_level" } },
    });
  });
});
