import { CALENDAR_KEY, deliver, webhooksAt } from "./calendar.ts";
import { agentOf, axe, expect, shoot, signIn, test } from "./fixture.ts";

test("the booking provider is connected with a tested key, goes live, finds past bookings, and is disconnected", async ({
  app,
  owner,
  page,
  allowErrors,
}) => {
  test.slow();
  const send = agentOf(app.baseURL, owner);
  await send("/v2/people", { email: "grace@prospect.example", first_name: "Grace" });
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/home`);
  await page.getByRole("link", { name: "Integrations" }).click();
  const card = page.getByRole("region", { name: "Cal.com" });
  await expect(card.getByText("Not connected")).toBeVisible();
  await axe(page);
  await shoot(page, "integrations-empty");

  // A wrong key is reported before anything is stored; a good one shows its account, and only then it can be saved.
  // That nothing can reach this server is said before the key is asked for.
  const unreachable = `Cal.com cannot deliver to ${app.baseURL}: that address leads to this computer only. Ask the person who runs this server to set APP_URL`;
  await expect(card.getByText(unreachable, { exact: false })).toBeVisible();
  await card.getByRole("button", { name: "Connect" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(unreachable, { exact: false })).toBeVisible();
  const save = dialog.getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  allowErrors("400 (Bad Request)");
  await dialog.getByLabel("API key").fill("cal_live_wrong");
  await dialog.getByLabel("API key").press("Enter");
  await expect(dialog.getByText("Cal.com does not accept these credentials: Invalid Access Token.")).toBeVisible();
  await expect(save).toBeDisabled();
  // No connection to the provider is no word about the key.
  allowErrors("502 (Bad Gateway)");
  const away =
    "Cal.com cannot be reached: its name cannot be resolved. The credentials were not checked and nothing was changed.";
  await page.route("**/integrations/test", (route) =>
    route.fulfill({
      status: 502,
      json: {
        error: "provider_unavailable",
        message: away,
        request_id: "r",
        provider: "cal_com",
        reason: "unreachable",
      },
    }),
  );
  await dialog.getByLabel("API key").fill(CALENDAR_KEY);
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await expect(dialog.getByRole("status").getByText(away)).toBeVisible();
  await expect(dialog.getByLabel("API key")).not.toHaveAttribute("aria-invalid", "true");
  await shoot(page, "integrations-away");
  await page.unroute("**/integrations/test");
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await expect(dialog.getByText("Olive Organizer (olive@sender.example)")).toBeVisible();
  await axe(page);
  await shoot(page, "integrations-connect");
  await dialog.getByLabel("API key").press("End");
  await dialog.getByLabel("API key").pressSequentially("x");
  await expect(save).toBeDisabled();
  await dialog.getByLabel("API key").press("Backspace");
  await save.click();
  await expect(dialog).toBeHidden();
  await expect(card.getByText("Connected", { exact: true }).first()).toBeVisible();
  await expect(card.getByText("waiting for the first verified delivery")).toBeVisible();
  const url = `${app.baseURL}/inbound/cal_com/${owner.workspace_id}`;
  const [webhook] = await webhooksAt(url);
  expect(webhook).toMatchObject({ active: true, secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
  await axe(page);
  await shoot(page, "integrations-pending");

  // Past bookings, counted contact by contact.
  await card.getByRole("button", { name: "Look for past bookings" }).click();
  await expect(card.getByText("1 logged, 0 already there, 1 skipped.", { exact: false })).toBeHidden();
  await expect(card.getByText("2 logged, 0 already there, 1 skipped.", { exact: false })).toBeVisible();
  await card.getByRole("button", { name: "By contact" }).click();
  await expect(page.getByRole("dialog").getByText("grace@prospect.example")).toBeVisible();
  await axe(page);
  await shoot(page, "integrations-backfill");
  await page.keyboard.press("Escape");

  // A booking arrives: the webhook is live, and the delivery is listed on the card.
  if (!webhook) throw new Error("there is no webhook to deliver to");
  const start = new Date(Date.now() + 86_400_000);
  const booked = {
    triggerEvent: "BOOKING_CREATED",
    createdAt: new Date().toISOString(),
    payload: {
      uid: "journeylive",
      bookingId: 7,
      title: "Demo for Ivo",
      status: "ACCEPTED",
      startTime: start.toISOString(),
      endTime: new Date(start.getTime() + 1_800_000).toISOString(),
      organizer: { email: "olive@sender.example", name: "Olive Organizer" },
      attendees: [{ email: "ivo@newco.example", name: "Ivo New" }],
    },
  };
  expect(await deliver(webhook, booked)).toBe(200);
  await expect(card.getByText("Live", { exact: true })).toBeVisible();
  await expect(card.getByRole("button", { name: "Demo for Ivo" })).toBeVisible();
  await axe(page);
  await shoot(page, "integrations-live");

  // One test on every card: the key that is kept, and a signed delivery by the real way, which is marked.
  await card.getByRole("button", { name: "Test Cal.com" }).click();
  await expect(card.getByText("Cal.com accepts the key of Olive Organizer (olive@sender.example).")).toBeVisible();
  await expect(card.getByText(`A signed test arrived through ${app.baseURL}.`, { exact: false })).toBeVisible();
  const tested = card.getByRole("list", { name: "Deliveries" }).getByRole("listitem").filter({ hasText: "Ping" });
  await expect(tested.getByText("Test", { exact: true })).toBeVisible();
  await axe(page);
  await shoot(page, "integrations-tested");
  await tested.getByRole("button").click();
  await expect(page.getByRole("dialog").getByText("Test", { exact: true })).toBeVisible();
  await axe(page);
  await shoot(page, "integrations-delivery");
  await page.keyboard.press("Escape");

  await card.getByRole("button", { name: "Actions for Cal.com" }).click();
  await page.getByRole("menuitem", { name: "Disconnect…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(card.getByText("Not connected")).toBeVisible();
  expect(await webhooksAt(url)).toEqual([]);
});

test("the recorder is connected with its secret, and a signed test is accepted", async ({
  app,
  owner,
  page,
  allowErrors,
}) => {
  test.slow();
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/integrations`);
  const card = page.getByRole("region", { name: "Fathom" });
  await card.getByRole("button", { name: "Connect" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(`/inbound/fathom/${owner.workspace_id}`)).toBeVisible();
  allowErrors("400 (Bad Request)");
  await dialog.getByLabel("Signing secret").fill("hush");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("signing_secret is whsec_ followed by base64", { exact: false })).toBeVisible();
  await axe(page);
  await shoot(page, "integrations-recorder");
  await dialog.getByLabel("Signing secret").fill(`whsec_${Buffer.alloc(32, "journey").toString("base64")}`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(card.getByText("waiting for the first verified delivery")).toBeVisible();
  await card.getByRole("button", { name: "Test Fathom" }).click();
  await expect(card.getByText(`A signed test arrived through ${app.baseURL}.`, { exact: false })).toBeVisible();
  await expect(card.getByRole("list", { name: "Deliveries" }).getByText("Test", { exact: true })).toBeVisible();
  await expect(card.getByText("waiting for the first verified delivery")).toBeVisible();
  await axe(page);
});

test("jobs are shown to administrators", async ({ owner, page }) => {
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/settings/jobs`);
  await expect(page.getByText("Nothing is waiting and nothing has failed.")).toBeVisible();
  await axe(page);
  await shoot(page, "settings-jobs");
});
