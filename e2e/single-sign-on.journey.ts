/** Two providers on a server that demands OIDC, members that come by the groups of one, and a sign-out there that ends the session here. */
import { OidcProvider } from "#lib/testing/oidc.fixture.ts";
import { startApp } from "./app.ts";
import { arrived, axe, expect, shoot, test } from "./fixture.ts";
import { ownWorkspace, signedInAt } from "./oidc.ts";

test("an owner follows the groups of their provider: colleagues are members by them, and are out when they sign out there", async ({
  page,
  newVisitor,
  allowErrors,
}) => {
  test.slow();
  allowErrors("status of 401"); // what a page asks for whose session has ended
  const [okta, globex] = await Promise.all([new OidcProvider().start(), new OidcProvider().start()]);
  const providers = [
    okta.entry("okta", { name: "Okta", domains: ["acme.example"] }),
    globex.entry("globex", { name: "Globex", domains: ["globex.example"] }),
  ];
  const settings = { OIDC_PROVIDERS: JSON.stringify(providers), SIGN_IN_DEMAND: "oidc" };
  const app = await startApp(settings, "single-sign-on.log");
  try {
    await signedInAt(page, okta, "ada@acme.example");
    await page.goto(`${app.baseURL}/sign-up`);
    await expect(page.getByRole("button", { name: "Continue with Globex" })).toBeVisible();
    await shoot(page, "several-providers");
    const workspace = await ownWorkspace(page, app, "Okta");

    await page.goto(`${workspace}/settings/workspace`);
    const card = page.getByRole("region", { name: "Signing in" });
    await expect(card).toContainText("requires a sign-in with Okta or Globex in every workspace");
    await card.getByLabel("With Okta or Globex only").check();
    await card.getByRole("button", { name: "Save" }).click();
    await expect(card.getByRole("button", { name: "Save" })).toBeDisabled();
    await card.getByLabel("Any way").check();
    await card.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/in every workspace\. That stays\./).last()).toBeVisible();
    await axe(page);
    await shoot(page, "server-demands-oidc");

    await page.goto(`${workspace}/settings/members`);
    const groups = page.getByRole("region", { name: "Groups" });
    await groups.getByRole("button", { name: "Follow Okta" }).click();
    await expect(page.getByText("The groups of Okta add members now.")).toBeVisible();
    await groups.getByLabel("Add a group").fill("Sales operations");
    await groups.getByRole("combobox", { name: "Role", exact: true }).click();
    await page.getByRole("option", { name: "Viewer" }).click();
    await groups.getByRole("button", { name: "Add group" }).click();
    await expect(groups.getByText("Added by hand, for sign-ins")).toBeVisible();
    await expect(groups.getByLabel("Add a group")).toHaveValue("");
    await axe(page);
    await shoot(page, "groups");

    const stranger = await newVisitor();
    await signedInAt(stranger, globex, "eve@acme.example", { groups: ["Sales operations"] });
    await stranger.goto(`${app.baseURL}/sign-in`);
    await stranger.getByRole("button", { name: "Continue with Globex" }).click();
    await expect(
      stranger.getByText("This provider may not sign in people with your e-mail address here."),
    ).toBeVisible();

    const grace = await newVisitor();
    await signedInAt(grace, okta, "grace@acme.example", { groups: ["Sales operations"] });
    await grace.goto(`${app.baseURL}/sign-in`);
    await grace.getByRole("button", { name: "Continue with Okta" }).click();
    await arrived(grace, /\/home$/);
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Role of grace@acme.example" })).toContainText("Viewer");

    const logout_token = okta.logoutToken({ sub: "grace@acme.example", sid: "session of grace@acme.example" });
    const answer = await fetch(`${app.baseURL}/api/auth/backchannel-logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token }),
    });
    expect(answer.status).toBe(200);
    await grace.goto(`${workspace}/people`);
    await arrived(grace, /\/sign-in\?next=/);
    await page.goto(`${workspace}/settings/audit-log`);
    await expect(page.getByText("was signed out by Okta (1 session)").first()).toBeVisible();
    await Promise.all([page, stranger, grace].map((each) => each.close()));
  } finally {
    await app.stop();
    await Promise.all([okta.stop(), globex.stop()]);
  }
});
