/** Passkeys with Chrome's own virtual authenticator, and a workspace that demands a second factor. */
import { scriptsOf } from "#lib/testing/page-scripts.ts";
import {
  arrived,
  axe,
  axeInTheDark,
  expect,
  inviteGrace,
  type Page,
  rapport,
  shoot,
  signIn,
  signInTo,
  test,
} from "./fixture.ts";

/**
 * A device with a fingerprint reader, on which every finger is right. `suggests`: the browser suggests its passkeys in fields, of which
 * Chrome's virtual device chooses the first at once.
 */
async function withDevice(page: Page, { suggests = false } = {}): Promise<void> {
  if (!suggests)
    await page.addInitScript(() => {
      if ("PublicKeyCredential" in window) PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
}

test("a passkey is added, signs in alone and after the password, confirms, and is removed", async ({
  page,
  owner,
  allowErrors,
}) => {
  allowErrors("status of 401"); // asked for the second factor
  allowErrors("status of 403"); // asked to confirm
  await withDevice(page);
  await signIn(page, owner);
  const settings = `/${owner.workspace_id}/settings`;
  await page.goto(settings);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await expect(dialog.getByLabel("Name")).not.toHaveValue("");
  await axe(page);
  await shoot(page, "passkey-add");
  await dialog.getByLabel("Name").fill("Work laptop");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  const recovery = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(recovery).toHaveCount(10);
  const [spare = ""] = await recovery.allTextContents();
  await page.getByRole("button", { name: "Copied, done" }).click();
  await expect(page.getByText("Work laptop")).toBeVisible();
  await expect(page.getByText("10 recovery codes are left.")).toBeVisible();
  await axe(page);
  await shoot(page, "passkeys");

  await page.getByRole("button", { name: "Rename Work laptop" }).click();
  const renaming = page.getByRole("dialog", { name: "Rename Work laptop" });
  await renaming.getByLabel("Name").fill("My laptop");
  await renaming.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(page.getByText("My laptop")).toBeVisible();
  await expect(page.getByRole("button", { name: "Rename My laptop" })).toBeFocused();

  await page.context().clearCookies();
  await page.goto("/sign-in");
  await axeInTheDark(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await arrived(page, /\/home$/);

  await page.context().clearCookies();
  await page.goto("/sign-in");
  await signIn(page, owner); // another tab was faster
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await arrived(page, /\/home$/);

  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(owner.owner_email);
  await page.getByLabel("Password", { exact: true }).fill(owner.owner_password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await axe(page);
  await shoot(page, "sign-in-passkey");
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await arrived(page, /\/home$/);

  await signIn(page, owner, 20);
  await page.goto(settings);
  await page.getByRole("button", { name: "New recovery codes" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(confirm.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await axe(page);
  await shoot(page, "confirm-passkey");
  await confirm.getByRole("button", { name: "Use a passkey" }).click();
  await expect(recovery).toHaveCount(10);
  expect(await recovery.allTextContents()).not.toContain(spare);
  await page.getByRole("button", { name: "Copied, done" }).click();

  await page.getByRole("button", { name: "Remove My laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText("The passkey is removed.")).toBeVisible();
  await expect(page.getByText("recovery codes are left.")).toHaveCount(0);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText(/The passkey was not accepted: it was removed here/)).toBeVisible();
});

test("a passkey that the browser suggests in the e-mail field signs in", async ({ page, owner }) => {
  await withDevice(page, { suggests: true });
  await signInTo(page, owner, "settings");
  await addPasskey(page, "Phone");
  await page.getByRole("button", { name: "Copied, done" }).click();
  await page.context().clearCookies();
  await page.goto(`/sign-in?next=${encodeURIComponent(`/${owner.workspace_id}/notes`)}`);
  await arrived(page, /\/notes$/);
  await expect(page.getByRole("heading", { name: "Notes", level: 1 })).toBeVisible();
});

test("a browser without a passkey says so, on a page of at most 190 kB of script", async ({ page, app, owner }) => {
  expect(owner.workspace_id).toBeTruthy(); // else the first person would be asked to sign up
  await withDevice(page);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText(/No passkey was used: you cancelled/)).toBeVisible();
  const stranger = await fetch(`${app.baseURL}/sign-in`);
  const { kb, files } = await scriptsOf(await stranger.text(), app.baseURL);
  expect(files).toBeGreaterThan(2);
  expect(kb).toBeLessThanOrEqual(190);
});

test("a workspace that demands a second factor leads its members to set one up", async ({
  page,
  app,
  owner,
  newVisitor,
  allowErrors,
}) => {
  allowErrors("status of 409"); // what is refused
  allowErrors("status of 403"); // what a page that is open asks for
  allowErrors("status of 401"); // and once its cookies are gone
  await withDevice(page);
  await signIn(page, owner);
  const grace = await newVisitor();
  await withDevice(grace);
  await inviteGrace(page, grace, owner);

  await page.goto(`/${owner.workspace_id}/settings/workspace`);
  const card = page.getByRole("region", { name: "Signing in" });
  await card.getByLabel("With a second factor").check();
  await card.getByRole("button", { name: "Save" }).click();
  await expect(card.getByText(/You would lock yourself out: set up a second factor/)).toBeVisible();
  await axe(page);
  await shoot(page, "sign-in-demand");
  await page.goto(`/${owner.workspace_id}/settings`);
  await addPasskey(page, "Owner's laptop");
  await page.getByRole("button", { name: "Copied, done" }).click();
  await page.goto(`/${owner.workspace_id}/settings/workspace`);
  await card.getByLabel("With a second factor").check();
  await card.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("How members sign in is saved.")).toBeVisible();
  await page.goto(`/${owner.workspace_id}/settings`);
  await page.getByRole("button", { name: "Remove Owner's laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText(/requires a second factor: set up another/)).toBeVisible();

  await grace.goto(`/${owner.workspace_id}/people`);
  await expect(grace).toHaveURL(/\/sign-in-demand\?next=/);
  await expect(grace.getByRole("heading", { name: "A second factor is needed" })).toBeVisible();
  await expect(grace.getByRole("navigation", { name: "Workspace" })).toBeVisible();
  await axe(grace);
  await shoot(grace, "demanded-factor");
  await grace.goto(`/${owner.workspace_id}/settings`);
  await expect(grace).toHaveURL(/\/sign-in-demand\?next=/);
  await addPasskey(grace, "Phone");
  await grace.getByRole("button", { name: "Copied, done" }).click();
  await expect(grace).toHaveURL(`/${owner.workspace_id}/settings`);
  await grace.getByRole("link", { name: "Notes" }).click();
  await expect(grace.getByRole("heading", { name: "Notes", exact: true })).toBeVisible();

  // A session that began with the password alone confirms with the passkey.
  await grace.context().clearCookies();
  await signIn(grace, { owner_email: `grace-${owner.workspace_id}@acme.example` });
  await grace.goto(`/${owner.workspace_id}/home`);
  await axeInTheDark(grace);
  await shoot(grace, "demanded-confirm");
  await grace.getByRole("button", { name: "Confirm with it" }).click();
  await grace.getByRole("button", { name: "Use a passkey" }).click();
  await arrived(grace, /\/home$/);

  await grace.context().clearCookies();
  await signIn(grace, { owner_email: `grace-${owner.workspace_id}@acme.example` });
  await rapport(app, "admin", "workspace", "allow-any-sign-in", owner.workspace_id);
  await grace.goto(`/${owner.workspace_id}/notes`);
  await expect(grace).toHaveURL(`/${owner.workspace_id}/notes`);
});
