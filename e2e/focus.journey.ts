/** By keyboard alone: dialogs and menus return the focus to where it was, and Escape closes one layer at a time. */
import { agentOf, expect, type Page, signIn, test } from "./fixture.ts";

const layers = (page: Page) => page.locator("[role=dialog], [role=alertdialog]");

test("every dialog returns the focus to what opened it", async ({ page, app, owner }) => {
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "anna@acme.com", first_name: "Anna", job_title: "CTO" });
  await send("/v2/notes", { focus: "anna@acme.com", title: "Pricing call", content: "Frozen until the audit." });
  await signIn(page, owner);
  const account = `/${owner.workspace_id}/accounts/anna@acme.com`;
  const places: [address: string, opener: string | RegExp][] = [
    [account, "Add note"],
    [account, "Log activity"],
    [account, "As of now"],
    [`${account}?tab=facts`, /^Title/],
    [`/${owner.workspace_id}/notes`, "Add note"],
    [`/${owner.workspace_id}/notes`, "Pricing call"],
    [`/${owner.workspace_id}/people`, "Add person"],
    [`/${owner.workspace_id}/people`, "Filter"],
    [`/${owner.workspace_id}/integrations`, "Connect"],
    [`/${owner.workspace_id}/settings/delete`, "Delete workspace"],
  ];
  for (const [address, name] of places) {
    await page.goto(address);
    const opener = page.getByRole("button", { name, exact: typeof name === "string" }).first();
    await opener.press("Enter");
    await expect(layers(page)).toHaveCount(1);
    await expect(layers(page).locator(":focus"), `${name} takes the focus`).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(layers(page)).toHaveCount(0);
    await expect(opener, `${name} has the focus again`).toBeFocused();
  }
  await page.goto(`/${owner.workspace_id}/integrations`);
  await page.getByRole("region", { name: "Meeting recording" }).getByRole("button", { name: "Connect" }).press("Enter");
  await expect(layers(page).getByLabel("2. Signing secret"), "the field, not the button before it").toBeFocused();
  for (const entry of ["Merge with…", "Erase for good…"]) {
    await page.goto(account);
    await page.getByRole("button", { name: "More actions" }).press("Enter");
    await page.getByRole("menuitem", { name: entry }).press("Enter");
    await expect(layers(page)).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(layers(page)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "More actions" }), entry).toBeFocused();
  }
});

test("Escape closes the topmost layer only, and asks before a written note is lost", async ({ page, app, owner }) => {
  await agentOf(app.baseURL, owner)("/v2/people", { email: "anna@acme.com", first_name: "Anna" });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/accounts/anna@acme.com`);
  await page.getByRole("button", { name: "Add note" }).first().press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add a note" });
  await dialog.getByLabel("Text").fill("She decides in March.");
  await dialog.getByRole("combobox", { name: "Type" }).press("Enter");
  await expect(page.getByRole("listbox")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(dialog).toBeVisible();

  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
  // The focus moves a render before the palette is the layer that Escape closes: then what is below takes no clicks.
  const below = page.getByRole("dialog", { name: "Add a note", includeHidden: true });
  await expect(below).toHaveCSS("pointer-events", "none");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("combobox", { name: "Command palette" })).toBeHidden();
  await expect(dialog).toBeVisible();

  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Discard what you wrote?" });
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(dialog.getByLabel("Text")).toHaveValue("She decides in March.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Add note" }).first()).toBeFocused();
});

test("a form asks before what was typed is lost, and Ctrl+Enter saves it", async ({ page, owner }) => {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people?new=1`);
  const dialog = page.getByRole("dialog", { name: "Add person" });
  await dialog.getByLabel("First name").fill("Lena");
  const question = page.getByRole("alertdialog", { name: "Discard what you wrote?" });
  for (const leave of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Close" }).click(),
    () => page.mouse.click(5, 5),
  ]) {
    await leave();
    await question.getByRole("button", { name: "Keep writing" }).click();
    await expect(question).toBeHidden();
    await expect(dialog.getByLabel("First name")).toHaveValue("Lena");
  }
  await dialog.getByLabel("E-mail").fill("lena@acme.example");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Lena is added.")).toBeVisible();

  // What holds nothing, or the same as before, closes at once.
  await page.goto(`/${owner.workspace_id}/people?new=1`);
  await dialog.getByLabel("First name").fill("Lena");
  await dialog.getByLabel("First name").fill("");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(question).toBeHidden();
});
