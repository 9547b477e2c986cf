/** People by stage: a card moves by pointer, by keyboard and by its menu, and back by undo. */
import { agentOf, axe, expect, type Page, shoot, signIn, stored, test } from "./fixture.ts";

const column = (page: Page, name: string) => page.getByRole("region", { name: new RegExp(`^${name}`) });
const card = (page: Page, stage: string, name: string) => column(page, stage).getByRole("link", { name, exact: true });

test("people are moved between stages on the board", async ({ page, app, owner, allowErrors }) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  const stages = ["identified", "identified", "aware", "interested", "evaluating"];
  await send("/v2/people/bulk", {
    people: [
      ...stages.map((pipeline_stage, n) => ({
        email: `p${n}@kestrel.app`,
        first_name: `Person ${n}`,
        job_title: "Head of Sales",
        company: "Kestrel",
        pipeline_stage,
      })),
      ...Array.from({ length: 130 }, (_, n) => ({
        email: `c${n}@fernhill.eu`,
        first_name: `Client ${n}`,
        pipeline_stage: "client",
      })),
    ],
  });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/people`);
  await page.getByRole("radio", { name: "Board" }).check();
  await expect(page).toHaveURL(/layout=board/);
  await expect(column(page, "Identified")).toHaveAccessibleName("Identified, 2");
  await expect(column(page, "Client")).toHaveAccessibleName("Client, 130");
  await axe(page);
  await shoot(page, "board");

  // By pointer.
  const from = await card(page, "Identified", "Person 0").boundingBox();
  const to = await column(page, "Interested").boundingBox();
  if (!from || !to) throw new Error("the board is not in sight");
  await page.mouse.move(from.x + 20, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 30, { steps: 4 });
  await page.mouse.move(to.x + 80, to.y + 120, { steps: 8 });
  await shoot(page, "board-drag");
  await page.mouse.up();
  await expect(card(page, "Interested", "Person 0")).toBeVisible();
  await expect(column(page, "Identified")).toHaveAccessibleName("Identified, 1");
  await expect(page).toHaveURL(/layout=board/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(card(page, "Identified", "Person 0")).toBeVisible();
  await expect(column(page, "Interested")).toHaveAccessibleName("Interested, 1");

  // By keyboard: picked up, cancelled, picked up again and dropped. The focus stays with the card.
  await card(page, "Aware", "Person 2").focus();
  await page.keyboard.press(" ");
  await expect(page.getByText("Person 2 picked up, in Aware.")).toBeAttached();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Cancelled. Person 2 stays in Aware.")).toBeAttached();
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await axe(page);
  const kept = stored(page);
  await page.keyboard.press(" ");
  await expect(card(page, "Evaluating", "Person 2")).toBeFocused();
  await expect(page.getByText("Person 2 moved to Evaluating.").first()).toBeAttached();
  await kept;
  await page.reload();
  await expect(card(page, "Evaluating", "Person 2")).toBeVisible();

  // By its menu.
  await card(page, "Interested", "Person 3").hover();
  await column(page, "Interested").getByRole("button", { name: "Move Person 3 to a stage" }).click();
  await page.getByRole("menuitemradio", { name: "Client" }).click();
  await expect(card(page, "Client", "Person 3")).toBeAttached();
  await expect(column(page, "Interested")).toHaveAccessibleName("Interested, 0");

  // A move that does not reach the server goes back.
  allowErrors("ERR_FAILED");
  await page.route("**/people/*", (route) => (route.request().method() === "PATCH" ? route.abort() : route.fallback()));
  await card(page, "Identified", "Person 1").focus();
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  const failed = page.waitForEvent("requestfailed", (request) => request.method() === "PATCH");
  await page.keyboard.press("Enter");
  await failed;
  await expect(card(page, "Identified", "Person 1")).toBeVisible();
  await expect(column(page, "Aware")).toHaveAccessibleName("Aware, 0");
  await page.unroute("**/people/*");

  // The rest of a long column comes while it is scrolled.
  await column(page, "Client").hover();
  await page.mouse.wheel(0, 50_000);
  await expect(column(page, "Client")).toHaveAccessibleName("Client, 131");

  await page.getByRole("link", { name: "Person 1", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Person 1", level: 1 })).toBeVisible();
});
