import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { App } from "./app.ts";
import { axe, expect, type Owner, type Page, rapport, shoot, signIn, test } from "./fixture.ts";

/** A client on this computer that waits for its answer, as agents do. */
async function listening(): Promise<{ server: Server; redirect: string; answered: Promise<URLSearchParams> }> {
  const server = createServer();
  const answered = new Promise<URLSearchParams>((resolve) => {
    server.on("request", (request, response) => {
      response
        .setHeader("content-type", "text/html")
        .end("<!doctype html><title>Done</title>You can close this window.");
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      if (url.pathname === "/callback") resolve(url.searchParams);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, redirect: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, answered };
}

/** What the client was told, once the browser has arrived there: another address would cut its way short. */
async function answerIn(page: Page, answered: Promise<URLSearchParams>): Promise<URLSearchParams> {
  const answer = await answered;
  await page.waitForURL((url) => url.pathname === "/callback");
  return answer;
}

async function post(url: string, body: Record<string, unknown> | URLSearchParams) {
  const form = body instanceof URLSearchParams;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": form ? "application/x-www-form-urlencoded" : "application/json" },
    body: form ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function registered({ baseURL }: App, redirect: string, name = "Claude Code"): Promise<string> {
  const { body } = await post(`${baseURL}/oauth/register`, {
    client_name: name,
    redirect_uris: [redirect],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
  });
  return body.client_id as string;
}

const verifier = randomBytes(32).toString("base64url");

const addressOf = ({ baseURL }: App, clientId: string, redirect: string, scope = "read write"): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope,
    state: "xyz",
    resource: `${baseURL}/mcp`,
  })}`;

const toolsOf = (app: App, token: string) => mcp(app, token, "tools/list");

async function mcp({ baseURL }: App, token: string, method: string, params: object = {}) {
  const response = await fetch(`${baseURL}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { status: response.status, text: await response.text() };
}

const atWidth = async (page: Page, width: number) => {
  await page.setViewportSize({ width, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `the page is not wider than ${width} px`).toBeLessThanOrEqual(0);
};

test("a client is approved after signing in, works, and is disconnected", async ({ app, owner, page }) => {
  const { server, redirect, answered } = await listening();
  const clientId = await registered(app, redirect);
  await page.goto(addressOf(app, clientId, redirect, "read write admin"));

  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("E-mail").fill(owner.owner_email);
  await page.getByLabel("Password", { exact: true }).fill(owner.owner_password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(page.getByRole("heading", { name: "Connect Claude Code to Rapport" })).toBeVisible();
  await expect(
    page.getByText("It registered itself, and its name has not been checked. It runs on this computer."),
  ).toBeVisible();
  await expect(page.getByText(owner.workspace_name)).toBeVisible();
  await expect(page.getByLabel("Read", { exact: true })).toBeDisabled();
  await page.getByLabel("Write", { exact: true }).click();
  await expect(page.getByLabel("Administer")).not.toBeChecked();
  await page.getByLabel("Administer").click();
  await expect(page.getByLabel("Write", { exact: true })).toBeChecked();
  await page.getByLabel("Administer").click();
  await axe(page);
  await shoot(page, "oauth-consent");
  await atWidth(page, 390);
  await atWidth(page, 1280);

  await page.getByRole("button", { name: "Approve" }).click();
  const answer = await answerIn(page, answered);
  expect(Object.fromEntries(answer)).toMatchObject({ state: "xyz", iss: app.baseURL });
  const { status, body } = await post(
    `${app.baseURL}/oauth/token`,
    new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      code: answer.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirect,
      resource: `${app.baseURL}/mcp`,
    }),
  );
  expect([status, body.scope]).toEqual([200, "read write"]);
  const listed = await toolsOf(app, body.access_token as string);
  expect(listed.status).toBe(200);
  expect(listed.text).toContain("get_context");

  await page.goto(`/${owner.workspace_id}/settings`);
  await page.getByRole("link", { name: "Connected clients" }).click();
  const card = page.getByRole("region", { name: "Connected clients" });
  await expect(card.getByText("Claude Code")).toBeVisible();
  await expect(card.getByText(/Runs on your computer\. Approved by you .*last used/)).toBeVisible();
  await axe(page);
  await shoot(page, "connected-clients");
  await atWidth(page, 390);
  await atWidth(page, 1280);

  await card.getByRole("button", { name: "Disconnect Claude Code" }).click();
  const alert = page.getByRole("alertdialog");
  await axe(page);
  await alert.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("Claude Code is disconnected.")).toBeVisible();
  await expect(card.getByText("Nothing is connected.")).toBeVisible();
  expect((await toolsOf(app, body.access_token as string)).status).toBe(401);

  await page.goto(`/${owner.workspace_id}/settings/audit-log`);
  await expect(
    page.getByText(/connected the client Claude Code at localhost \(read, write, asks to change what people said\)/),
  ).toBeVisible();
  server.close();
});

test("a person with several workspaces chooses one for the client", async ({ app, owner, page }) => {
  const given = ["--name", "Second", "--owner-email", owner.owner_email];
  const second = await rapport<Owner>(app, "admin", "workspace", "create", ...given);
  const { server, redirect, answered } = await listening();
  const clientId = await registered(app, redirect);
  await signIn(page, owner);
  await page.goto(addressOf(app, clientId, redirect));
  await page.getByLabel("Workspace").click();
  await page.getByRole("option", { name: "Second" }).click();
  await page.getByLabel("Write", { exact: true }).click();
  await axe(page);
  await shoot(page, "oauth-consent-choice");
  await page.getByRole("button", { name: "Approve" }).click();
  const answer = await answerIn(page, answered);
  const form = {
    grant_type: "authorization_code",
    client_id: clientId,
    code: answer.get("code") ?? "",
    code_verifier: verifier,
  };
  const { body } = await post(`${app.baseURL}/oauth/token`, new URLSearchParams(form));
  expect(body.scope).toBe("read");
  await page.goto(`/${second.workspace_id}/settings/connected-clients`);
  await expect(page.getByText("Claude Code")).toBeVisible();
  await expect(page.getByText("not used yet")).toBeVisible();
  await page.goto(`/${owner.workspace_id}/settings/connected-clients`);
  await expect(page.getByText("Nothing is connected.")).toBeVisible();
  server.close();
});

test("a client that asks first waits until the person approves, and writes at once when they change that", async ({
  app,
  owner,
  page,
}) => {
  const { server, redirect, answered } = await listening();
  const clientId = await registered(app, redirect);
  await signIn(page, owner);
  await page.goto(addressOf(app, clientId, redirect));
  const box = page.getByRole("radio", { name: "Writes need approval" });
  await expect(page.getByRole("radio", { name: "Asks to change what people said" })).toBeChecked();
  await page.getByLabel("Write", { exact: true }).click();
  await expect(box).toBeHidden();
  await page.getByLabel("Write", { exact: true }).click();
  await box.click();
  await expect(box).toBeChecked();
  await axe(page);
  await shoot(page, "oauth-consent-asks-first");
  await page.getByRole("button", { name: "Approve" }).click();
  const { body } = await post(
    `${app.baseURL}/oauth/token`,
    new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      code: (await answerIn(page, answered)).get("code") ?? "",
      code_verifier: verifier,
    }),
  );
  const write = (content: string) =>
    mcp(app, body.access_token as string, "tools/call", {
      name: "update_gtm_profile",
      arguments: { section: "ICP", content, mode: "replace" },
    });
  expect((await write("Series B fintechs in the EU.")).text).toContain("a person must approve it");

  await page.goto(`/${owner.workspace_id}/approvals`);
  const waiting = page
    .getByRole("list", { name: /Changes waiting for approval: .* Claude Code \(.+\)/ })
    .getByRole("listitem");
  await expect(waiting).toHaveCount(1);
  await shoot(page, "approvals-client");
  await waiting.getByRole("button", { name: /^Approve/ }).click();
  await expect(page.getByText("Approved and done.")).toBeVisible();

  await page.goto(`/${owner.workspace_id}/settings/connected-clients`);
  const asks = page.getByRole("combobox", { name: "Approval: Claude Code" });
  const choose = async (mode: string) => {
    await asks.click();
    await page.getByRole("option", { name: mode }).click();
  };
  await expect(asks).toContainText("Writes need approval");
  await axe(page);
  await shoot(page, "connected-clients-asks-first");
  await atWidth(page, 390);
  await atWidth(page, 1280);
  await choose("Writes without approval");
  await expect(page.getByText("Claude Code now writes without approval.")).toBeVisible();
  await expect(asks).toContainText("Writes without approval");
  expect((await write("Series C fintechs in the EU.")).text).not.toContain("a person must approve it");

  await choose("Writes need approval");
  await expect(page.getByText("What Claude Code writes now needs approval.")).toBeVisible();
  expect((await write("Series D fintechs in the EU.")).text).toContain("a person must approve it");
  await page.getByRole("button", { name: "Disconnect Claude Code" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("Claude Code is disconnected.")).toBeVisible();
  await page.goto(`/${owner.workspace_id}/approvals`);
  await expect(page.getByText("Nothing waits for approval.")).toBeVisible();

  await page.goto(`/${owner.workspace_id}/settings/audit-log`);
  await expect(page.getByText(/connected the client .* \(read, write, writes need approval\)/)).toBeVisible();
  await expect(page.getByText("let the client Claude Code write without approval")).toBeVisible();
  server.close();
});

test("a client that is denied is told so", async ({ app, owner, page }) => {
  const { server, redirect, answered } = await listening();
  const clientId = await registered(app, redirect, "Unwanted");
  await signIn(page, owner);
  await page.goto(addressOf(app, clientId, redirect));
  await page.getByRole("button", { name: "Deny" }).click();
  expect(Object.fromEntries(await answered)).toMatchObject({ error: "access_denied", state: "xyz", iss: app.baseURL });
  server.close();
});

test("a wrong request goes back to another site only by a click", async ({ app, owner, page }) => {
  await signIn(page, owner);
  const site = "https://app.example/callback";
  const address = addressOf(app, await registered(app, site), site).replace("S256", "plain");
  await page.goto(address);
  await expect(page.getByText("code_challenge_method must be S256.")).toBeVisible();
  const back = await page.getByRole("link", { name: "Back to app.example" }).getAttribute("href");
  expect(Object.fromEntries(new URL(back ?? "").searchParams)).toMatchObject({
    error: "invalid_request",
    state: "xyz",
  });
  await axe(page);
});

test("a wrong request of a program on this computer goes back at once", async ({ app, owner, page }) => {
  await signIn(page, owner);
  const { server, redirect, answered } = await listening();
  await page.goto(addressOf(app, await registered(app, redirect), redirect, "everything"));
  expect(Object.fromEntries(await answered)).toMatchObject({ error: "invalid_scope", state: "xyz", iss: app.baseURL });
  server.close();
});

test("a request that cannot be answered stays on our page, and no other page may frame it", async ({
  app,
  owner,
  page,
}) => {
  await signIn(page, owner);
  const clientId = await registered(app, "https://app.example/callback");
  const response = await page.goto(addressOf(app, clientId, "https://evil.example/callback"));
  await expect(page.getByRole("heading", { name: "This app cannot be connected" })).toBeVisible();
  await expect(page.getByText("its redirect_uri is not one that it registered.")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/oauth/authorize");
  expect(response?.headers()["x-frame-options"]).toBe("DENY");
  expect(response?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  await axe(page);
  await shoot(page, "oauth-refused");
});
