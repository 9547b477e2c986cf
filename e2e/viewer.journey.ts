/** A viewer reads everything and finds nothing that they may not do, by pointer or by key. */
import { fillWorkspace } from "./filled.ts";
import { axe, expect, inviteGrace, shoot, signIn, test } from "./fixture.ts";

/** What begins a write, by how its button begins. */
const writes =
  /^(add|archive|apply|build|change|connect|create|delete|disconnect|edit|erase|import|invite|keep|log|mark|merge|move|new (?!people)|pause|register|remove|rename|replay|restore|retire|revoke|rotate|run|save|set|still true|sync|test|undo|use|withdraw|write)\b(?!.*password)/i;

test("a viewer finds nothing to change on any page, and keys change nothing", async ({
  page,
  app,
  owner,
  newVisitor,
}) => {
  test.setTimeout(300_000);
  const { account, leads, trigger } = await fillWorkspace(app, owner);
  await signIn(page, owner);
  const grace = await newVisitor();
  await inviteGrace(page, grace, owner);
  await page.goto(`/${owner.workspace_id}/settings/members`);
  await page.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
  await page.getByRole("option", { name: /^Viewer/ }).click();
  await expect(page.getByText("Grace Hopper is now a viewer.")).toBeVisible();

  const places = [
    ...["home", "people", "people?layout=board", "companies", "leads", leads, "notes", "gtm-context"],
    ...["activity", account, `${account}?tab=facts`, `${account}?tab=notes`, `${account}?tab=mail`],
    ...["approvals", "imports", "integrations"],
    ...["integrations/deliveries", "triggers", trigger, "api-keys", "connect"],
    ...["settings/members", "settings/workspace", "settings/stages", "settings/scoring", "settings/connected-clients"],
    ...["settings/data", "settings/checks"],
  ];
  const problems: string[] = [];
  for (const place of places) {
    await grace.goto(`/${owner.workspace_id}/${place}`);
    await expect(grace.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(grace.locator("main [aria-busy=true]")).toHaveCount(0);
    const offered = await grace.getByRole("main").evaluate((main) =>
      [...main.querySelectorAll<HTMLElement>("button, a, input[type=checkbox], [role=combobox]")]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled"))
        .filter((element) => element.closest("[data-writes=shown]") === null)
        .map((element) => element.getAttribute("aria-label") ?? element.innerText.trim()),
    );
    for (const name of new Set(offered)) if (writes.test(name)) problems.push(`${place}: ${name}`);
  }
  expect(problems).toEqual([]);

  // What shows a value and would change it answers no key.
  await grace.goto(`/${owner.workspace_id}/people`);
  const stage = grace.getByRole("button", { name: /^Stage of Lena Tanaka/ });
  await stage.focus();
  for (const key of ["Enter", " ", "ArrowDown"]) await grace.keyboard.press(key);
  await expect(grace.getByRole("menu")).toHaveCount(0);
  await grace.goto(`/${owner.workspace_id}/${account}`);
  const done = grace.getByRole("checkbox", { name: "Done: Send the offer" });
  await done.focus();
  await grace.keyboard.press(" ");
  await expect(done).not.toBeChecked();
  await grace.goto(`/${owner.workspace_id}/people?layout=board`);
  await grace.getByRole("link", { name: "Lena Tanaka" }).focus();
  await grace.keyboard.press(" ");
  await grace.keyboard.press("ArrowLeft");
  await grace.keyboard.press(" ");
  await expect(grace.getByRole("list", { name: "People in Evaluating" })).toContainText("Lena Tanaka");
  await grace.goto(`/${owner.workspace_id}/${account}?tab=facts`);
  await axe(grace);
  await shoot(grace, "viewer-facts");
});
