import { Secret, TOTP } from "otpauth";
import { arrived, axe, expect, type Page, rapport, shoot, signIn, signInByForm, test } from "./fixture.ts";

async function attempt(page: Page, email: string, password: string) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  const answered = page.waitForResponse((response) => response.url().includes("/callback/credentials"));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await answered;
}

test("a wrong password and an unknown address get the same message, and guessing is slowed down", async ({
  page,
  owner,
  allowErrors,
}) => {
  allowErrors("status of 401");
  await page.goto("/sign-in");
  await axe(page);
  await shoot(page, "sign-in");
  const wrong = page.getByText("The e-mail address or the password is wrong.");
  await attempt(page, "nobody@acme.example", "not the password");
  await expect(wrong).toBeVisible();
  for (let guess = 0; guess < 5; guess++) {
    await attempt(page, owner.owner_email, `guess number ${guess}`);
    await expect(wrong).toBeVisible();
  }
  await attempt(page, owner.owner_email, owner.owner_password);
  await expect(page.getByText(/Too many attempts\. Try again in \d+ seconds\./)).toBeVisible();
  await axe(page);
});

test("a reader who was signed out comes back to the page they wanted, and signing out ends the session", async ({
  page,
  owner,
  allowErrors,
}) => {
  allowErrors("401 (Unauthorized)"); // what the page was reading when its session ended
  const members = `/${owner.workspace_id}/settings/members`;
  await page.goto(members);
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(members)}`);
  await page.getByLabel("E-mail").fill(owner.owner_email.toUpperCase());
  await page.getByLabel("Password", { exact: true }).fill(owner.owner_password);
  await page.keyboard.press("Enter");
  await arrived(page, new RegExp(`${members}$`));
  const cookies = await page.context().cookies();
  await page.evaluate(() => sessionStorage.setItem("rapport:draft", "what someone wrote"));
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/sign-in");
  expect(await page.evaluate(() => sessionStorage.getItem("rapport:draft"))).toBeNull();
  // A copy of the cookie does not work either.
  await page.context().addCookies(cookies);
  await page.goto(members);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test("an invited person joins with a new account, sees what a member sees, and is out once removed", async ({
  page,
  owner,
  newVisitor,
  allowErrors,
}) => {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/settings/members`);
  await axe(page);
  await page.getByRole("button", { name: "Invite" }).click();
  const email = `grace-${owner.workspace_id}@acme.example`;
  await page.getByLabel("E-mail (optional)").fill(email);
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(email)).toBeVisible();

  allowErrors("status of 400"); // a password that is refused
  const grace = await newVisitor();
  await grace.goto(link);
  await expect(grace.getByRole("heading", { name: `Join ${owner.workspace_name}` })).toBeVisible();
  await axe(grace);
  await shoot(grace, "invitation");
  await grace.getByLabel("Your name").fill("Grace Hopper");
  await grace.getByLabel("Password", { exact: true }).fill("GraceHopper2026");
  await grace.getByRole("button", { name: "Create account" }).click();
  await expect(grace.getByText(/^The password is too easy to guess/)).toBeVisible();
  await shoot(grace, "easy-password");
  await grace.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await grace.getByRole("button", { name: "Create account" }).click();
  await expect(grace).toHaveURL(`/${owner.workspace_id}/home`);
  await grace.goto(`/${owner.workspace_id}/settings/members`);
  await expect(grace.getByRole("button", { name: "Invite" })).toHaveCount(0);
  await expect(grace.getByRole("link", { name: "Audit log" })).toHaveCount(0);

  await page.reload();
  await page.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
  await page.getByRole("option", { name: /^Viewer/ }).click();
  await expect(page.getByText("Grace Hopper is now a viewer.")).toBeVisible();
  await grace.goto(`/${owner.workspace_id}/gtm-context`);
  await expect(grace.getByText("Viewer", { exact: true })).toBeVisible();
  await expect(grace.getByRole("button", { name: /^Write / })).toHaveCount(0);
  await axe(grace);
  await shoot(grace, "viewer");

  await page.getByRole("button", { name: "Remove Grace Hopper" }).click();
  await page.getByRole("button", { name: "Remove member" }).click();
  await expect(page.getByText("Grace Hopper is removed.")).toBeVisible();
  allowErrors("status of 404");
  await grace.reload();
  await expect(grace.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await grace.goto(link);
  await expect(grace.getByRole("heading", { name: "This invitation no longer works" })).toBeVisible();

  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByText(`removed ${email}`)).toBeVisible();
  await axe(page);
  await shoot(page, "audit-log");
});

test("a new password ends the other sessions, and the operator's reset ends them all", async ({
  page,
  app,
  owner,
  newVisitor,
  allowErrors,
}) => {
  allowErrors("status of 401"); // the open page whose session ended may ask for news
  const elsewhere = await newVisitor();
  await signInByForm(elsewhere, owner);
  await signInByForm(page, owner);
  await page.goto(`/${owner.workspace_id}/settings`);
  await axe(page);
  await shoot(page, "profile");
  await page.getByLabel("Current password").fill(owner.owner_password);
  await page.getByLabel("New password").fill("another long password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("The password is changed; one other session ended.")).toBeVisible();
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();

  const { password } = await rapport<{ password: string }>(app, "admin", "user", "reset-password", owner.owner_email);
  await page.reload();
  await expect(page).toHaveURL(/\/sign-in/);
  await attempt(page, owner.owner_email, password);
  await expect(page.getByText("Your password was made up for you.")).toBeVisible();
  await axe(page);
  await shoot(page, "made-up-password");
  const chosen = page.getByLabel("New password");
  await chosen.fill(password);
  await page.getByRole("button", { name: "Save and sign in" }).click();
  await expect(page.getByText("Choose a password that differs from the one you were given.")).toBeVisible();
  await chosen.fill("a password of my own");
  await page.getByRole("button", { name: "Save and sign in" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await rapport(app, "admin", "user", "disable", owner.owner_email);
  await page.reload();
  await expect(page).toHaveURL(/\/sign-in/);
  await attempt(page, owner.owner_email, "a password of my own");
  await expect(page.getByText("Your account is disabled.")).toBeVisible();
  await rapport(app, "admin", "user", "enable", owner.owner_email);
  await attempt(page, owner.owner_email, "a password of my own");
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
});

test("who signed in long ago confirms it, sets up a second factor, and signs in with it once a code", async ({
  page,
  owner,
  allowErrors,
}) => {
  allowErrors("status of 403"); // asked to confirm
  allowErrors("status of 401"); // asked for the code
  await signIn(page, owner, 20);
  await page.goto(`/${owner.workspace_id}/settings`);
  const other = await page.context().newPage();
  await other.goto(`/${owner.workspace_id}/home`);
  const token = async () => (await page.context().cookies()).find(({ name }) => /session-token$/.test(name))?.value;
  const before = await token();
  await page.getByRole("button", { name: "Set up" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirm that it is you" });
  await confirm.getByLabel("Password", { exact: true }).fill(owner.owner_password);
  await axe(page);
  await shoot(page, "confirm");
  await confirm.getByRole("button", { name: "Confirm" }).click();

  const setUp = page.getByRole("dialog", { name: "Set up a second factor" });
  await expect(setUp).toBeVisible();
  expect(await token(), "the browser has another token, for all of its pages").not.toBe(before);
  await other.getByRole("link", { name: "People", exact: true }).click();
  await expect(other.getByRole("heading", { name: "People", level: 1 })).toBeVisible();
  await other.close();
  const secret = Secret.fromBase32((await setUp.locator("code").textContent()) ?? "");
  const code = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });
  await axe(page);
  await shoot(page, "second-factor");
  const first = code(Date.now());
  await setUp.getByLabel("Code", { exact: true }).fill(first);
  await setUp.getByRole("button", { name: "Turn on" }).click();
  const recovery = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(recovery).toHaveCount(10);
  const [spare = ""] = await recovery.allTextContents();
  await axe(page);
  await shoot(page, "recovery-codes");
  await page.getByRole("button", { name: "Copied, done" }).click();
  await expect(page.getByText("10 recovery codes are left.")).toBeVisible();

  await page.context().clearCookies();
  await page.goto("/sign-in");
  await attempt(page, owner.owner_email, owner.owner_password);
  await page.getByLabel("Code", { exact: true }).fill(first);
  await axe(page);
  await shoot(page, "sign-in-code");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText(/The code is not right, or was used\./)).toBeVisible();
  await page.getByLabel("Code", { exact: true }).fill(spare);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.goto(`/${owner.workspace_id}/settings`);
  await expect(page.getByText("9 recovery codes are left.")).toBeVisible();
});

test("two workspaces never see each other, and a third can be made and deleted", async ({
  page,
  owner,
  createOwner,
  allowErrors,
}) => {
  const other = await createOwner();
  await signIn(page, owner);
  allowErrors("status of 404");
  for (const path of ["gtm-context", "api-keys", "settings", "settings/audit-log"]) {
    await page.goto(`/${other.workspace_id}/${path}`);
    await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  }
  await page.goto("/new");
  await axe(page);
  await page.getByLabel("Workspace name").fill("Third");
  await page.getByLabel("Website (optional)").fill("third.example");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await expect(page).toHaveURL(/\/connect\?welcome=1$/);
  const third = new URL(page.url()).pathname.split("/")[1];
  await page.goto(`/${third}/settings/workspace`);
  await expect(page.getByLabel("Website (optional)")).toHaveValue("https://third.example");
  await axe(page);
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete workspace" }).click();
  await page.getByLabel("Type Third to confirm").fill("Third");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete workspace" }).click();
  await expect(page).toHaveURL(`/${owner.workspace_id}/home`);
});
