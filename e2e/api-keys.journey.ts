import type { App } from "./app.ts";
import { axe, expect, type Page, shoot, signIn, test } from "./fixture.ts";

const statusWith = async ({ baseURL }: App, key: string): Promise<number> => {
  const answer = await fetch(`${baseURL}/v2/workspace/facts`, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status;
};

/** The key in the open dialog, which is closed after reading it. */
async function revealed(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Copy it now")).toBeVisible();
  const key = (await dialog.getByText(/^rpt_\w{6}_\w{38}$/).textContent()) ?? "";
  await expect(dialog.getByText(`Bearer ${key}`)).toBeVisible();
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(dialog.getByText("Have you copied the key?")).toBeVisible();
  await dialog.getByRole("button", { name: "Copied, done" }).click();
  await expect(dialog).toBeHidden();
  return key;
}

test("a key is made, used, rotated and revoked", async ({ app, owner, page, allowErrors }) => {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/api-keys?new=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Enter a name for the key.")).toBeVisible();

  allowErrors("400 (Bad Request)");
  await dialog.getByLabel("Name").fill("Outreach agent");
  await dialog.getByLabel("Allowed addresses").fill("127.0.0.0/8\n::1\nnowhere");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText('"nowhere" is not an IPv4 or IPv6 address or range.')).toBeVisible();
  await axe(page);
  await shoot(page, "api-key-new");
  await dialog.getByLabel("Allowed addresses").fill("127.0.0.0/8 ::1");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const first = await revealed(page);
  await expect(page).toHaveURL(/\/api-keys$/);
  expect(await statusWith(app, first)).toBe(200);

  const table = page.getByRole("table", { name: "API keys", exact: true });
  await expect(table.getByRole("row", { name: /Outreach agent/ })).toContainText("from 127.0.0.0/8 and 1 more");
  await page.getByRole("button", { name: "Actions for Outreach agent" }).click();
  await page.getByRole("menuitem", { name: "Rotate…" }).click();
  await dialog.getByLabel("The old key").click();
  await page.getByRole("option", { name: "Stops at once" }).click();
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  const second = await revealed(page);
  expect(second).not.toBe(first);
  expect(await statusWith(app, first)).toBe(401);
  expect(await statusWith(app, second)).toBe(200);

  await table.getByRole("row", { name: /Outreach agent/ }).click();
  const sheet = page.getByRole("dialog", { name: "Outreach agent" });
  await expect(sheet.getByText("GET /v2/workspace/facts")).toBeVisible({ timeout: 30_000 });
  await expect(sheet.getByText("listFacts · Outreach agent"), "a caller without a name is the key").toBeVisible();
  await expect(sheet.getByText(/^1 call in 14 days$/)).toBeVisible();
  await axe(page);
  await shoot(page, "api-key-usage");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();

  await page.getByRole("button", { name: "Actions for Outreach agent" }).click();
  await page.getByRole("menuitem", { name: "Revoke…" }).click();
  const alert = page.getByRole("alertdialog");
  await expect(alert.getByRole("button", { name: "Revoke key" })).toBeDisabled();
  await alert.getByRole("textbox").fill("Outreach agent");
  await alert.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("Outreach agent is revoked.")).toBeVisible();
  expect(await statusWith(app, second)).toBe(401);

  await page.getByRole("button", { name: "Show 2 revoked or expired" }).click();
  const ended = page.getByRole("table", { name: "Revoked and expired API keys" });
  await expect(ended.getByText("Revoked")).toBeVisible();
  await expect(ended.getByText("Rotated")).toBeVisible();
  await axe(page);
  await shoot(page, "api-keys");
  await page.reload();
  await expect(ended).toBeVisible();
});

test("the first call of an agent turns the indicator green", async ({ app, owner, page }) => {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/connect?welcome=1`);
  await expect(page.getByText(`claude mcp add --transport http rapport ${app.baseURL}/mcp`)).toBeVisible();
  const withKey = page.getByRole("radio", { name: "With an API key" });
  await withKey.check();
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Claude Code");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.getByText(/^rpt_\w{6}_\w{38}$/).textContent()) ?? "";
  await expect(page.getByText("Waiting for the first call")).toBeVisible();
  await axe(page);
  await shoot(page, "connect-waiting");

  for (const agent of ["Claude Desktop", "Cursor", "Codex", "VS Code", "n8n"]) {
    await page.getByRole("tab", { name: agent }).click();
    await expect(page.getByRole("tabpanel", { name: agent })).toContainText(
      agent === "Claude Desktop" ? `"RAPPORT_URL": "${app.baseURL}"` : `${app.baseURL}/mcp`,
    );
  }
  await axe(page);
  await page.getByRole("tab", { name: "REST" }).click();
  await expect(page.getByText(`curl ${app.baseURL}/v2/context`).first()).toBeVisible();
  await fetch(`${app.baseURL}/v2/workspace/facts`, {
    headers: { authorization: `Bearer ${key}`, "x-service-client": "claude-code/2.1" },
  });
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  await expect(page.getByText(/from claude-code\/2\.1, with the key Claude Code/)).toBeVisible();
  await expect(page.getByRole("row", { name: /claude-code\/2\.1/ })).toBeVisible({ timeout: 40_000 });
  await axe(page);
  await shoot(page, "connect-connected");
  await expect(page.getByRole("link", { name: "Open GTM Context" })).toHaveAttribute(
    "href",
    `/${owner.workspace_id}/gtm-context?section=ICP`,
  );
});

test("a key without phone numbers is made, and limited to people later", async ({ app, owner, page, allowErrors }) => {
  await signIn(page, owner);
  const ask = async (key: string, path: string, init: RequestInit = {}) => {
    const answer = await fetch(app.baseURL + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    return { status: answer.status, text: await answer.text() };
  };
  const person = JSON.stringify({ email: `vera-${owner.workspace_id}@acme.example`, phone: "+4930123456701" });
  expect((await ask(owner.api_key, "/v2/people", { method: "POST", body: person })).status).toBe(201);
  await page.goto(`/${owner.workspace_id}/api-keys?new=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Dialler");
  await dialog.getByRole("textbox", { name: /Hidden fields/ }).fill("phone, email");
  allowErrors("400 (Bad Request)");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText(/can be phone or a custom property/)).toBeVisible();
  await dialog.getByRole("textbox", { name: /Hidden fields/ }).fill("phone");
  await axe(page);
  await shoot(page, "api-key-limits");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await revealed(page);
  const row = page.getByRole("table", { name: "API keys", exact: true }).getByRole("row", { name: /Dialler/ });
  await expect(row).toContainText("All without phone");
  const people = `/v2/people?email=vera-${owner.workspace_id}@acme.example`;
  expect((await ask(owner.api_key, people)).text).toContain("+4930123456701");
  expect(await ask(key, people)).toEqual({ status: 200, text: expect.not.stringContaining("123456701") });

  await page.getByRole("button", { name: "Actions for Dialler" }).click();
  await page.getByRole("menuitem", { name: "Limits…" }).click();
  await dialog.getByLabel("People").check();
  await axe(page);
  await shoot(page, "key-limits");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The limits of Dialler are saved.")).toBeVisible();
  await expect(row).toContainText("Only People, without phone");
  await expect.poll(async () => (await ask(key, "/v2/companies")).status).toBe(403);
  expect((await ask(key, people)).status).toBe(200);
});
