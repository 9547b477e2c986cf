/** Triggers: one is made, a delivery fails, the target is fixed, and the delivery is replayed. */
import { Webhook } from "standardwebhooks";
import { answers, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";
import { agentOf, axe, expect, shoot, signIn, test } from "./fixture.ts";

test("a trigger is made, fails, is fixed, and what failed is replayed", async ({ app, owner, page, allowErrors }) => {
  test.slow();
  const target = await new WebhookTarget().start();
  const send = agentOf(app.baseURL, owner);
  const call = (n: number) => send("/api/v1/capture", { email: "anna@acme.com", type: "call", metadata: { n } });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/home`);
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(page).toHaveURL(/\/triggers$/);
  await expect(page.getByText("A trigger tells one of your systems what happens here")).toBeVisible();
  await axe(page);
  await shoot(page, "triggers-empty");

  // What cannot be saved is said beside its field.
  await page.getByRole("button", { name: "New trigger" }).first().click();
  const form = page.getByRole("dialog", { name: "New trigger" });
  await form.getByRole("button", { name: "Create trigger" }).click();
  await expect(form.getByText("Enter the URL that events are sent to.")).toBeVisible();
  await expect(form.getByText("Choose at least one event.")).toBeVisible();
  allowErrors("400 (Bad Request)");
  await form.getByLabel("URL").fill("ftp://hooks.example.com");
  await form.getByLabel("Name").fill("Slack alerts");
  await form.getByLabel("Call", { exact: true }).check();
  await expect(form.getByText("What “Call” sends")).toBeVisible();
  await form.getByRole("button", { name: "Create trigger" }).click();
  await expect(form.getByText("url cannot be used: it is not an http or https URL.")).toBeVisible();
  await axe(page);
  await shoot(page, "triggers-new");
  await form.getByLabel("URL").fill(target.url());
  await form.getByRole("button", { name: "Create trigger" }).click();

  // The secret is shown once.
  const reveal = page.getByRole("dialog", { name: "Slack alerts is ready" });
  const secret = (await reveal.getByText(/^whsec_[A-Za-z0-9+/]+=*$/).textContent()) ?? "";
  await axe(page);
  await shoot(page, "triggers-secret");
  await page.keyboard.press("Escape");
  await expect(reveal.getByText("Have you copied the signing secret? It cannot be shown again.")).toBeVisible();
  await reveal.getByRole("button", { name: "Copied, done" }).click();
  await expect(reveal).toBeHidden();

  // A test goes out, signed.
  await page.getByRole("link", { name: "Slack alerts" }).click();
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("The target accepted the test.")).toBeVisible();
  const [first] = target.received;
  new Webhook(secret).verify(first?.raw ?? "", first?.headers as Record<string, string>);

  // The target breaks: the page says so by itself. After the second attempt the next one is minutes away.
  target.behave = answers(500, {}, "out of order");
  await call(1);
  await call(2);
  const log = page.getByRole("list", { name: "Deliveries" });
  await expect(page.getByText("The last attempt failed: It answered 500.")).toBeVisible();
  await expect(page.getByText("Failing", { exact: true })).toBeVisible();
  const days = page.getByRole("region", { name: "Deliveries by day" });
  await expect(days.getByText("0 delivered, 2 failed")).toBeVisible({ timeout: 30_000 });
  await expect(days.locator("svg.recharts-surface")).toBeVisible();
  await expect(log.getByText("It answered 500. (2 attempts)")).toBeVisible({ timeout: 30_000 });
  await expect(log.getByText("Waiting for its turn.")).toBeVisible();
  await axe(page);
  await shoot(page, "triggers-failing");

  // It is fixed, and the delivery is tried now; what waited behind it follows in order.
  await log.getByRole("button", { name: "activity.call" }).nth(1).click();
  const sheet = page.getByRole("dialog", { name: "activity.call" });
  await sheet.getByText("Response").first().click();
  await expect(sheet.getByText("out of order").first()).toBeVisible();
  await axe(page);
  await shoot(page, "triggers-delivery");
  target.accept();
  await sheet.getByRole("button", { name: "Try now" }).click();
  await expect(sheet.getByText("Delivered", { exact: true })).toBeVisible();
  const numbers = () =>
    target.received.slice(1).map(({ body }) => (body.data.value as { metadata: { n: number } }).metadata.n);
  await expect.poll(() => numbers().slice(-2)).toEqual([1, 2]);
  await page.keyboard.press("Escape");
  await expect(page.getByText("Active", { exact: true })).toBeVisible();

  // Everything of the last day again.
  const before = target.received.length;
  await page.getByRole("button", { name: "Replay…" }).click();
  const replay = page.getByRole("dialog", { name: "Replay deliveries" });
  await replay.getByRole("radio", { name: /Everything/ }).click();
  await axe(page);
  await shoot(page, "triggers-replay");
  await replay.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(page.getByText("2 deliveries are sent again.")).toBeVisible();
  await expect.poll(() => target.received.length).toBe(before + 2);

  // Gone: the trigger is disabled with a notice, and goes on with one click.
  target.behave = answers(410);
  await call(3);
  await expect(page.getByText("The target answered 410", { exact: false }).first()).toBeVisible();
  await shoot(page, "triggers-disabled");
  target.accept();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect.poll(() => numbers().at(-1)).toBe(3);

  // A new secret signs beside the old one.
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }).click();
  await page.getByRole("button", { name: "Copied, done" }).click();
  await expect(page.getByText("Signs too until")).toBeVisible();
  await page.goto(`/${owner.workspace_id}/triggers`);
  await expect(page.getByText("delivered,", { exact: false })).toBeVisible();
  await axe(page);
  await shoot(page, "triggers");
  await target.stop();
});
