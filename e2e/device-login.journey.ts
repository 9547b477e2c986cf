/** A program signs in by a code: it starts by the API, a person decides in the browser, and it polls for its key. */
import type { App } from "./app.ts";
import { axe, expect, shoot, signIn, test } from "./fixture.ts";

type LoginStart = { device_code: string; user_code: string; verification_uri_complete: string };

/** What a program sends, and what it is answered. */
async function post<T>({ baseURL }: App, path: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json", "x-service-client": "rapport-cli/0.2.0" };
  const answer = await fetch(`${baseURL}/api/cli/auth/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.ok, `${path} answers ${answer.status}`).toBe(true);
  return (await answer.json()) as T;
}

const start = (app: App) => post<LoginStart>(app, "start", { host: "ada-laptop" });
const poll = (app: App, { device_code }: LoginStart) =>
  post<{ status: string; api_key?: string; workspace_id?: string }>(app, "poll", { device_code });

test("a signed-out person signs in, approves, and the program gets a key that works until it signs out", async ({
  app,
  owner,
  page,
}) => {
  const login = await start(app);
  await page.goto(login.verification_uri_complete);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("E-mail").fill(owner.owner_email);
  await page.getByLabel("Password", { exact: true }).fill(owner.owner_password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(page.getByRole("heading", { name: "Sign in on ada-laptop?" })).toBeVisible();
  await expect(page.getByText(login.user_code)).toBeVisible();
  await expect(page.getByText("rapport-cli/0.2.0")).toBeVisible();
  await expect(page.getByText("(the same as yours)")).toBeVisible();
  await expect(page.getByRole("radio", { name: "Read and write" })).toBeChecked();
  await axe(page);
  await shoot(page, "device-login");
  await page.getByRole("radio", { name: "Read", exact: true }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "The program is signed in" })).toBeVisible();
  await axe(page);

  const answer = await poll(app, login);
  expect(answer).toMatchObject({ status: "approved", workspace_id: owner.workspace_id });
  expect(await poll(app, login)).toEqual({ status: "consumed" });
  const me = () => fetch(`${app.baseURL}/v2/me`, { headers: { authorization: `Bearer ${answer.api_key}` } });
  expect(await (await me()).json()).toMatchObject({ workspace: { id: owner.workspace_id }, scopes: ["read"] });
  await page.goto(`/${owner.workspace_id}/api-keys`);
  await expect(page.getByRole("row", { name: /rapport login on ada-laptop/ })).toBeVisible();
  await post(app, "revoke", { api_key: answer.api_key });
  expect((await me()).status).toBe(401);
});

test("a code is typed, a wrong one is refused, and Deny gives the program nothing", async ({ app, owner, page }) => {
  await signIn(page, owner);
  const login = await start(app);
  await page.goto("/device");
  await page.getByLabel("Code").fill("bbbb-bbbb");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("No program is waiting with this code.")).toBeVisible();
  await axe(page);
  await shoot(page, "device-code");
  await page.getByLabel("Code").fill(login.user_code.toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "The program was not signed in" })).toBeVisible();
  expect(await poll(app, login)).toEqual({ status: "denied" });
});

test("a decision that another window has made is shown, and the page is never framed", async ({
  app,
  owner,
  page,
  context,
  allowErrors,
}) => {
  await signIn(page, owner);
  const login = await start(app);
  const answer = await page.goto(login.verification_uri_complete);
  expect(answer?.headers()["x-frame-options"]).toBe("DENY");
  expect(answer?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  const other = await context.newPage();
  await other.goto(login.verification_uri_complete);
  await other.getByRole("button", { name: "Deny" }).click();
  await expect(other.getByRole("heading", { name: "The program was not signed in" })).toBeVisible();
  allowErrors("409 (Conflict)");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "The program was not signed in" })).toBeVisible();
  expect(await poll(app, login)).toEqual({ status: "denied" });
});
