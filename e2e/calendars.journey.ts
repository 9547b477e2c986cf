import { CALENDAR_LOGIN, CalDavServer } from "#lib/testing/caldav-server.fixture.ts";
import { calendarOf, eventOf, exceptionOf, guestOf, inDays } from "#lib/testing/ics.fixture.ts";
import { axe, expect, shoot, signIn, test } from "./fixture.ts";

const server = new CalDavServer();
test.beforeAll(() => server.start());
test.afterAll(() => server.stop());

test("a calendar is connected, its meetings are on the record, and one that is moved moves there", async ({
  owner,
  page,
  allowErrors,
}) => {
  const weekly = (...more: string[]) =>
    calendarOf(
      eventOf(
        ...(["weekly@acme", inDays(2), `ORGANIZER:mailto:${owner.owner_email}`] as const),
        ...[guestOf("anna@prospect.example", "ACCEPTED", "Anna Smith"), "SUMMARY:Pilot review", ...more],
      ),
    );
  server.add("work", "Work");
  server.add("home", "Home");
  server.put("work", "weekly.ics", weekly("RRULE:FREQ=WEEKLY;COUNT=3"));
  await signIn(page, owner);
  await page.goto(`/${owner.workspace_id}/integrations`);

  // What does not work is said before anything is kept.
  await page.getByRole("button", { name: "Connect a calendar" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Server" }).fill(server.url);
  await dialog.getByLabel("User name").fill(CALENDAR_LOGIN.user);
  await dialog.getByLabel("Password").fill("wrong");
  allowErrors("400 (Bad Request)");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("alert")).toContainText("does not accept the user name or password");
  await dialog.getByLabel("Password").fill(CALENDAR_LOGIN.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("checkbox", { name: "Home" }).uncheck();
  await axe(page);
  await shoot(page, "calendar-connect");
  await dialog.getByRole("button", { name: "Connect" }).click();
  const card = page.getByRole("region", { name: CALENDAR_LOGIN.user });
  await expect(card.getByText("Up to date")).toBeVisible();
  await expect(card.getByText("3 meetings with contacts")).toBeVisible();
  await expect(card.getByRole("listitem")).toHaveText(["Work3 with guests"]);
  await shoot(page, "calendar-connected");

  await page.goto(`/${owner.workspace_id}/accounts/anna@prospect.example?tab=meetings`);
  const upcoming = page.getByRole("region", { name: "Upcoming" });
  const rows = upcoming.getByRole("button", { name: "Pilot review" });
  await expect(rows).toHaveCount(3);
  await expect(upcoming.getByRole("link", { name: "Prepare Pilot review" })).toHaveCount(3);
  await expect(page.getByRole("region", { name: "In short" })).toContainText("Next: Meeting in ");
  await axe(page);
  await shoot(page, "meetings");

  // One of them is moved: the old time is gone here, and on the timeline it says that it was rescheduled.
  const [planned, moved] = [inDays(9), inDays(10, 12)];
  const exception = eventOf(
    ...(["weekly@acme", moved, exceptionOf(planned), `ORGANIZER:mailto:${owner.owner_email}`] as const),
    ...[guestOf("anna@prospect.example", "ACCEPTED", "Anna Smith"), "SUMMARY:Pilot review, later", "SEQUENCE:1"],
  );
  server.put(
    "work",
    "weekly.ics",
    weekly("RRULE:FREQ=WEEKLY;COUNT=3").replace("END:VCALENDAR", `${exception}\r\nEND:VCALENDAR`),
  );
  await page.goto(`/${owner.workspace_id}/integrations`);
  await card.getByRole("button", { name: "Check now" }).click();
  await page.goto(`/${owner.workspace_id}/accounts/anna@prospect.example`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Rescheduled")).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await page.getByRole("tab", { name: "Meetings" }).click();
  await expect(upcoming.getByRole("button", { name: "Pilot review, later" })).toBeVisible();
  await expect(rows).toHaveCount(3);

  // Another calendar is read instead, and its card says before what goes.
  await page.goto(`/${owner.workspace_id}/integrations`);
  await card.getByRole("button", { name: "Change" }).click();
  await expect(dialog.getByRole("checkbox", { name: "Work" })).toBeChecked();
  await dialog.getByRole("checkbox", { name: "Home" }).check();
  await expect(dialog.getByRole("alert")).toBeHidden();
  await dialog.getByRole("checkbox", { name: "Work" }).uncheck();
  await expect(dialog.getByRole("alert")).toContainText("Saving removes the meetings of “Work”");
  await axe(page);
  await shoot(page, "calendar-change");
  await dialog.getByRole("button", { name: "Save and remove" }).click();
  await expect(page.getByText(`${CALENDAR_LOGIN.user} is changed.`)).toBeVisible();
  await expect(card.getByRole("listitem")).toHaveText([/^Home/]);
  await expect(card.getByText("0 meetings with contacts")).toBeVisible();
});
