/** A workspace that opens only to who signed in with the server's OIDC provider, on a server that has one. */
import { OidcProvider } from "#lib/testing/oidc.fixture.ts";
import { startApp } from "./app.ts";
import { arrived, axe, expect, type Page, shoot, test } from "./fixture.ts";

/** The provider knows this browser's person, and sends them back. */
const approving = (page: Page, provider: OidcProvider, email: string) =>
  page.route(`${provider.issuer}/authorize*`, (route) => {
    const back = provider.approve(route.request().url(), { claims: { sub: email, email, email_verified: true } });
    const body = `<meta http-equiv="refresh" content="0;url=${back.href.replaceAll("&", "&amp;")}">`;
    return route.fulfill({ contentType: "text/html", body });
  });

test("a workspace that demands OIDC leads its members to the provider, and back into the workspace", async ({
  page,
  newVisitor,
  allowErrors,
}) => {
  test.slow();
  allowErrors("status of 403"); // what an open page asks for
  const provider = await new OidcProvider().start();
  const app = await startApp({ ...provider.settings, OIDC_NAME: "Okta" }, "oidc-demand.log");
  try {
    await approving(page, provider, "ada@acme.example");
    await page.goto(`${app.baseURL}/sign-up`);
    await page.getByRole("button", { name: "Continue with Okta" }).click();
    await arrived(page, /\/new$/);
    await page.getByLabel("Workspace name").fill("Acme");
    await page.getByRole("button", { name: "Create workspace" }).click();
    await arrived(page, /\/connect\?welcome=1$/);
    const workspace = `${app.baseURL}/${new URL(page.url()).pathname.split("/")[1]}`;

    await page.goto(`${workspace}/settings/members`);
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail (optional)").fill("grace@acme.example");
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    const grace = await newVisitor();
    await grace.goto(link);
    await grace.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await grace.getByRole("button", { name: "Create account" }).click();
    await arrived(grace, /\/home$/);

    // Grace reads while the demand begins.
    await grace.goto(`${workspace}/people?sort=name`);
    await page.goto(`${workspace}/settings/workspace`);
    const card = page.getByRole("region", { name: "Signing in" });
    await card.getByLabel("With Okta only").check();
    await card.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("How members sign in is saved.")).toBeVisible();

    // The page that was open leads to it, and she comes back to where she was.
    await expect(grace.getByRole("heading", { name: "Another sign-in is needed" })).toBeVisible({ timeout: 15_000 });
    await axe(grace);
    await shoot(grace, "demanded-oidc");
    await approving(grace, provider, "grace@acme.example");
    await grace.getByRole("button", { name: "Continue with Okta" }).click();
    await arrived(grace, /\/people\?sort=name$/);
    await expect(grace.getByRole("heading", { name: "People", exact: true })).toBeVisible();
    await Promise.all([page, grace].map((each) => each.close()));
  } finally {
    await app.stop();
    await provider.stop();
  }
});

test("a server that demands OIDC opens workspaces to who signed in so, and says so where a workspace has its own demand", async ({
  page,
}) => {
  test.slow();
  const provider = await new OidcProvider().start();
  const settings = { ...provider.settings, OIDC_NAME: "Okta", SIGN_IN_DEMAND: "oidc" };
  const app = await startApp(settings, "oidc-demand-of-server.log");
  try {
    await approving(page, provider, "ada@acme.example");
    await page.goto(`${app.baseURL}/sign-up`);
    await page.getByRole("button", { name: "Continue with Okta" }).click();
    await arrived(page, /\/new$/);
    await page.getByLabel("Workspace name").fill("Acme");
    await page.getByRole("button", { name: "Create workspace" }).click();
    await arrived(page, /\/connect\?welcome=1$/);
    await page.goto(`${app.baseURL}/${new URL(page.url()).pathname.split("/")[1]}/settings/workspace`);
    const card = page.getByRole("region", { name: "Signing in" });
    await expect(card).toContainText("demands a sign-in with Okta in every workspace");
    await axe(page);
    await shoot(page, "server-demands-oidc");
    await page.close();
  } finally {
    await app.stop();
    await provider.stop();
  }
});
