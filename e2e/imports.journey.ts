/** A CSV file from drop to undo: what was found out, mapping, check, run, result, undo, and files that are refused. */
import { readFile } from "node:fs/promises";
import { agentOf, axe, expect, type Owner, type Page, shoot, signIn, stored, test } from "./fixture.ts";

const SHEET = [
  "Exported from the fair;;;;;;",
  "Email;First Name;Last Name;Job Title;Lifecycle Stage;Größe;Email Status",
  "anna@acmeworks.com;Anna;Smith;Chief Buyer;Customer;10-50;verified",
  "ben@brightwater.io;Ben;Berg;CTO;Lead;;verified",
  "clara@northgate.dev;Clara;Søndergård;Head of Sales;Lead;200+;guessed",
  ";Dora;Nobody;;;;",
  "not an address;Eve;Wrong;;;;",
].join("\r\n");

const columns = (page: Page) => page.getByRole("list", { name: "Columns" }).getByRole("listitem");
const rows = (page: Page) => page.getByRole("list", { name: "Rows", exact: true }).getByRole("listitem");

/** Drops a file as the browser does. */
async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], fileName));
      return data;
    },
    [name, [...content]] as const,
  );
  await page.getByText("Drop a CSV file of people here").dispatchEvent("drop", { dataTransfer: transfer });
}

async function begin(page: Page, owner: Owner): Promise<void> {
  await page.goto(`/${owner.workspace_id}/people`);
  await page.getByRole("link", { name: "Import" }).first().click();
  await expect(page.getByText("Drop a CSV file of people here")).toBeVisible();
}

test("the four kinds of a file stand in one line on the narrowest phone", async ({ owner, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/imports`);
  const kinds = page.getByRole("group", { name: "What is in the file?" }).getByRole("radio");
  await expect(kinds).toHaveCount(4);
  const tops = await kinds.evaluateAll((all) => all.map((kind) => kind.getBoundingClientRect().top));
  expect(new Set(tops).size, `${tops}`).toBe(1);
  await axe(page);
  await shoot(page, "narrow-imports");
});

test("a file is dropped, mapped, checked, imported, downloaded and undone", async ({ app, owner, page }) => {
  test.slow();
  const agent = agentOf(app.baseURL, owner);
  await agent("/v2/people", { email: "anna@acmeworks.com", first_name: "Anna", job_title: "VP Sales" });
  await signIn(page, owner);
  await begin(page, owner);
  await expect(page.getByText("Imports are listed here, with the result of each row.")).toBeVisible();
  await axe(page);
  await shoot(page, "imports-empty");

  // Windows-1252, a line above the headers, semicolons.
  await drop(page, "fair.csv", Buffer.from(SHEET, "latin1"));
  await expect(page.getByRole("heading", { name: "fair", level: 1 })).toBeVisible();
  const file = page.getByRole("region", { name: "The file", exact: true });
  await expect(file).toContainText("Row 2");
  await expect(file).toContainText("Semicolon");
  await expect(file).toContainText("Windows-1252");
  await expect(columns(page)).toHaveCount(7);
  await expect(columns(page).first()).toContainText("anna@acmeworks.com");
  await expect(columns(page).first().getByRole("button")).toHaveText("E-mail");
  const status = columns(page).filter({ hasText: "Email Status" });
  await expect(status.getByRole("button", { name: /Change/ })).toHaveText("E-mail status");
  await status.getByRole("button", { name: "Leave “Email Status” out" }).click();
  await expect(status.getByRole("button")).toHaveText("Left out");
  await axe(page);
  await shoot(page, "import-mapping");

  // By keyboard: the title is the name by mistake, which the page tells, and then back.
  const title = columns(page).filter({ hasText: "Chief Buyer" }).getByRole("button");
  await title.focus();
  await page.keyboard.press("Enter");
  const picker = page.getByRole("dialog", { name: "Import “Job Title” as" });
  await expect(picker.getByRole("combobox")).toBeFocused();
  await axe(page);
  await shoot(page, "import-picker");
  await page.keyboard.type("stage");
  await page.keyboard.press("Enter");
  await expect(title).toBeFocused();
  await expect(
    page.getByRole("status").filter({ hasText: "“Job Title” and “Lifecycle Stage” are both imported" }),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Check what it would do" })).toBeDisabled();
  await axe(page);
  await shoot(page, "import-clash");
  await title.click();
  await expect(picker.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("title");
  await page.keyboard.press("Enter");
  await expect(title).toHaveText("Title");

  // What has no field becomes a property, and the words for stages get a meaning.
  const size = columns(page)
    .filter({ hasText: "10-50" })
    .getByRole("button", { name: /Change/ });
  await expect(size).toHaveText("Grosse");
  const stages = page.getByRole("list", { name: "Stages" });
  await expect(stages.getByRole("listitem").filter({ hasText: "Customer" })).toContainText("Proposed: Client");
  await stages.getByRole("button", { name: "“Customer”: Sets no stage. Change" }).click();
  const kept = stored(page);
  await page.getByRole("menuitemradio", { name: "Client" }).click();
  await expect(stages.getByRole("button", { name: "“Customer”: Client. Change" })).toBeVisible();
  await kept;

  // What is chosen survives a reload.
  await page.reload();
  await expect(stages.getByRole("button", { name: "“Customer”: Client. Change" })).toBeVisible();
  await expect(size).toHaveText("Grosse");

  await page.getByRole("button", { name: "Check what it would do" }).click();
  const check = page.getByRole("region", { name: "What it would do" });
  await expect(check).toBeVisible();
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).filter({ hasText: "ben@brightwater.io" })).toContainText("New");
  await expect(rows(page).filter({ hasText: "anna@acmeworks.com" })).toContainText("Update");
  await axe(page);
  await shoot(page, "import-check");
  await check.getByRole("radio", { name: /Skipped/ }).check();
  await expect(page).toHaveURL(/outcome=skipped/);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText("No e-mail or LinkedIn");

  // Nothing is written yet; another option makes a new check necessary.
  await page.getByRole("button", { name: "Change columns and options" }).click();
  const replacing = page.getByRole("radio", { name: "Replace it" });
  await replacing.click();
  await expect(replacing).toBeChecked();
  await expect(replacing).toBeFocused();
  await expect(page.getByRole("button", { name: "Check what it would do" })).toBeVisible();
  await page.getByRole("button", { name: "Check what it would do" }).click();
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  const result = page.getByRole("region", { name: "Imported" });
  await expect(result).toContainText("2 people created, 1 updated and 2 rows skipped");
  await result.getByRole("radio", { name: /All/ }).check();
  await expect(rows(page)).toHaveCount(5);
  await axe(page);
  await shoot(page, "import-result");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    result.getByRole("link", { name: "Download as CSV" }).click(),
  ]);
  const saved = await readFile(await download.path(), "utf8");
  expect(saved).toContain("Søndergård");
  expect(saved.trimEnd().split("\n")).toHaveLength(6);

  await result.getByRole("link", { name: "Show new people" }).click();
  const people = page.getByRole("table", { name: "people" });
  await expect(people.getByRole("row", { name: /Clara Søndergård/ })).toBeVisible();
  await expect(people.getByRole("row")).toHaveCount(3);

  // Someone works with one of them, so that it stays.
  await agent("/v2/observations", {
    focus: "ben@brightwater.io",
    observations: [{ kind: "event", property: "interaction.call", value: { description: "Talked" } }],
  });
  await page.goBack();
  await page.getByRole("button", { name: "Undo…" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("2 people it created disappear, with companies that were made for them");
  await axe(page);
  await shoot(page, "import-undo");
  await question.getByRole("button", { name: "Undo import" }).click();
  const undone = page.getByRole("region", { name: "Undone" });
  await expect(undone).toContainText(
    "1 person removed, 1 as before, 1 record that was made for them removed, 1 kept because someone has worked with it since",
  );
  await expect(undone.getByRole("link", { name: "Ben Berg" })).toBeVisible();
  await axe(page);
  await shoot(page, "import-undone");

  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Imports" }).click();
  const past = page.getByRole("list", { name: "Imports" }).getByRole("listitem");
  await expect(past).toHaveCount(1);
  await expect(past).toContainText("Undone");
  await expect(past).toContainText("2 created, 1 updated");
  await axe(page);
  await shoot(page, "imports");
});

test("a long import shows how far it is, survives a reload, is stopped, goes on and is found in the history", async ({
  app,
  owner,
  page,
}) => {
  test.slow();
  const lines = Array.from({ length: 30_000 }, (_, at) => `p${at}@fernhill${at % 900}.eu,Person ${at},Buyer`);
  await signIn(page, owner);
  await begin(page, owner);
  await page.getByLabel("CSV file").setInputFiles({
    name: "long list.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["Email,Full Name,Title", ...lines].join("\n")),
  });
  await expect(columns(page)).toHaveCount(3);
  await page.getByRole("button", { name: "Check what it would do" }).click();
  await expect(page.getByRole("progressbar", { name: "Checking what it would do" })).toBeVisible();
  await page.getByRole("button", { name: "Import 30,000 rows" }).click({ timeout: 90_000 });
  const bar = page.getByRole("progressbar", { name: "Importing" });
  await expect(page.getByText(/rows a second · about .* left/)).toBeVisible();
  await axe(page);
  await shoot(page, "import-running");
  await page.reload();
  await expect(bar).toBeVisible();
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop import" }).click();
  const stopped = page.getByText(/^Stopped after [\d,]+ of 30,000 rows/);
  await expect(stopped).toBeVisible();
  await axe(page);
  await shoot(page, "import-stopped");
  const before = /after ([\d,]+) of/.exec((await stopped.textContent()) ?? "")?.[1] ?? "";
  await page.getByRole("button", { name: "Go on" }).click();
  const place = page.getByText(/^[\d,]+ of 30,000 rows/);
  await expect(place).toBeVisible();
  await expect(place).not.toContainText(`${before} of`);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.goto(`/${owner.workspace_id}/imports`);
  await expect(page.getByRole("list", { name: "Imports" })).toContainText("Importing");
  // The rest of it would slow down the journeys beside this one.
  await agentOf(app.baseURL, owner)(`/v2/imports/${id}/cancel`, {});
});

test("files that cannot be imported are refused in a sentence, and a discarded one is gone", async ({
  allowErrors,
  owner,
  page,
}) => {
  allowErrors(/status of 400/);
  await signIn(page, owner);
  await begin(page, owner);
  const input = page.getByLabel("CSV file");
  const choose = (name: string, content: string, mimeType = "text/csv") =>
    input.setInputFiles({ name, mimeType, buffer: Buffer.from(content, "latin1") });
  const refusal = page.getByRole("region", { name: "A new import" }).getByRole("alert");

  await choose("people.xlsx", "PK\u0003\u0004", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  await expect(refusal).toContainText("people.xlsx is a spreadsheet, not a CSV file.");
  await axe(page);
  await shoot(page, "import-refused");
  await choose("empty.png", "", "image/png");
  await expect(refusal).toHaveText("empty.png is not a CSV file and is empty.");
  // One that is only named like a CSV file is refused by the server.
  await choose("renamed.csv", `PK\u0003\u0004${"\0".repeat(200)}`);
  await expect(refusal).not.toContainText("empty.png");
  await expect(refusal).not.toBeEmpty();

  await choose("people.csv", "Email\nanna@acmeworks.com\n");
  await expect(columns(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Read it differently…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Row with the headers").fill("0");
  await dialog.getByRole("button", { name: "Read again" }).click();
  await expect(dialog.getByText("A row from 1 to 1,000.")).toBeVisible();
  await axe(page);
  await shoot(page, "import-reading");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard file" }).click();
  await expect(page.getByText("This file was discarded.")).toBeVisible();
  await page.getByRole("link", { name: "Import another file" }).click();
  await expect(page.getByRole("list", { name: "Imports" })).toContainText("Discarded");
});
