/** A workspace that opens only after a sign-in with an OIDC provider, by its own demand; the server's is in single-sign-on. */
import { OidcProvider } from "#lib/testing/oidc.fixture.ts";
import { startApp } from "./app.ts";
import { arrived, axe, expect, shoot, test } from "./fixture.ts";
import { ownWorkspace, signedInAt } from "./oidc.ts";

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
    await signedInAt(page, provider, "ada@acme.example");
    await page.goto(`${app.baseURL}/sign-up`);
    const workspace = await ownWorkspace(page, app, "Okta");

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
    await signedInAt(grace, provider, "grace@acme.example");
    await grace.getByRole("button", { name: "Continue with Okta" }).click();
    await arrived(grace, /\/people\?sort=name$/);
    await expect(grace.getByRole("heading", { name: "People", exact: true })).toBeVisible();
    await Promise.all([page, grace].map((each) => each.close()));
  } finally {
    await app.stop();
    await provider.stop();
  }
});
