import { agentOf, signIn, test } from "./fixture.ts";
import { appendFileSync } from "node:fs";

test("weight", async ({ page, app, owner }) => {
  const send = agentOf(app.baseURL, owner);
  const { company } = (await send("/v2/companies", { domain: "acmeworks.com", name: "A" })) as { company: { id: string } };
  await signIn(page, owner);
  for (const path of ["gtm-context", "activity", "companies", "people", "notes", "home", `accounts/${company.id}`, "triggers"]) {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    const types = new Map<string, string>();
    let sum = 0;
    const began = { at: 0 };
    session.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (types.get(requestId) === "Script" && (began.at === 0 || Date.now() - began.at < 1500)) sum += encodedDataLength;
    });
    await page.goto(`/${owner.workspace_id}/${path}`, { waitUntil: "load" });
    began.at = Date.now();
    await page.waitForTimeout(1500);
    appendFileSync("/tmp/pages-weight.txt", `${path}: ${Math.round(sum / 1000)} kB\n`);
    await session.detach();
  }
});
