import { ImapServer, LOGIN, type StoredMail } from "#lib/testing/imap.fixture.ts";
import { axe, expect, shoot, signIn, test } from "./fixture.ts";

const US = LOGIN.user;
const ANNA = "anna@prospect.example";
/** Wider than a phone, in one piece. */
const LONG = "Bernadette-von-Hohenlohe-Langenburg-Schillingsfürst-zu-Waldburg";
const BANK = "desk@bank.example";

const mail = (uid: number, from: string, to: string, subject: string): StoredMail => ({
  uid,
  source: `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <m${uid}.${subject}@mail.example>\r\n\r\nHello, about ${subject}.\r\n`,
});

test("a mailbox is connected, tells of new mail by itself, and what is read of it is changed", async ({
  owner,
  page,
  allowErrors,
}) => {
  test.slow();
  const server = await new ImapServer({
    folders: [
      { path: "INBOX", mails: [mail(1, ANNA, US, "pilot")] },
      {
        path: "Sent",
        flags: ["\\Sent"],
        mails: [mail(1, US, `"${LONG}" <${ANNA}>`, "offer"), mail(2, US, BANK, "account")],
      },
      { path: "Clients", mails: [mail(1, ANNA, US, "filed")] },
      { path: "Drafts", flags: ["\\Drafts"], mails: [] },
    ],
  }).start();
  try {
    await signIn(page, owner);
    await page.goto(`/${owner.workspace_id}/integrations`);
    await page.getByRole("region", { name: "Your mailbox" }).getByRole("button", { name: "Connect" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail address").fill(LOGIN.user);
    await dialog.getByLabel("Password").fill(LOGIN.password);
    allowErrors("400 (Bad Request)");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByRole("alert")).toHaveText(
      "The mail server of this address was not found. Enter it above.",
    );
    await expect(dialog.getByLabel("IMAP server")).toBeFocused();
    await dialog.getByLabel("IMAP server").fill(`127.0.0.1:${server.address.port}`);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByText("3 messages in INBOX, Sent", { exact: false })).toBeVisible();
    await axe(page);
    await shoot(page, "mail-connect");
    await dialog.getByRole("button", { name: "Connect" }).click();
    const card = page.getByRole("region", { name: LOGIN.user });
    await expect(card.getByText("Up to date")).toBeVisible();
    await expect(card.getByText("3 messages with contacts", { exact: false })).toBeVisible();

    // The server says that something came.
    server.deliver("INBOX", mail(2, ANNA, US, "question"));
    await expect(card.getByText("4 messages with contacts", { exact: false })).toBeVisible();
    await axe(page);
    await shoot(page, "mail-card");

    // What agents are told of it is in plain words.
    await page.goto(`/${owner.workspace_id}/accounts/${ANNA}?tab=agents`);
    const told = page.getByRole("tabpanel", { name: "What agents see" });
    await expect(told.getByRole("region", { name: "Conversation" })).toContainText("E-mail received, anna@prospect");
    await expect(told.getByRole("region", { name: "Who knows them" })).toContainText("(weak, ");
    await expect(told).not.toContainText(/email_received|knows them:|\[thread/);
    await axe(page);
    await shoot(page, "agents-mail");
    await page.goto(`/${owner.workspace_id}/integrations`);

    await card.getByRole("button", { name: "Change" }).click();
    await dialog.getByRole("radio", { name: "Those I choose" }).click();
    await dialog.getByRole("checkbox", { name: "Clients" }).click();
    await expect(dialog.getByRole("checkbox", { name: "Drafts" })).toBeHidden();
    await dialog.getByLabel("Never store mail with").fill("bank.example");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("One message with those you block is here", { exact: false })).toBeVisible();
    await axe(page);
    await shoot(page, "mail-change");
    await dialog.getByRole("button", { name: "Save and remove 1" }).click();
    await expect(dialog).toBeHidden();
    await expect(card.getByText("4 messages with contacts", { exact: false })).toBeVisible(); // one is gone, one came

    await card.getByRole("button", { name: "What was read" }).click();
    const report = page.getByRole("dialog");
    await expect(report.getByRole("region", { name: "Clients" }).getByText("Complete")).toBeVisible();
    await expect(report.getByRole("region", { name: "Sent" }).getByText("with someone you blocked")).toBeVisible();
    await axe(page);
    await shoot(page, "mail-report");
    await page.keyboard.press("Escape");

    // What the server lists and denies is an alarm that stays until it is here.
    const late: StoredMail = { ...mail(2, ANNA, US, "late"), withheld: "denied" };
    server.deliver("Clients", late);
    const checkNow = card.getByRole("button", { name: /^Check now/ });
    const alarm = card.getByText("1 message at the server should be here and is not.", { exact: false });
    await checkNow.click();
    await expect(alarm).toBeVisible();
    await axe(page);
    await shoot(page, "mail-missing");
    await card.getByRole("button", { name: "See where" }).click();
    await expect(report.getByRole("region", { name: "Clients" }).getByText("1 missing")).toBeVisible();
    await page.keyboard.press("Escape");
    await checkNow.click();
    await expect(checkNow).toBeEnabled();
    await expect(alarm).toBeVisible();
    late.withheld = null;
    await checkNow.click();
    await expect(alarm).toBeHidden();
    await expect(card.getByText("5 messages with contacts", { exact: false })).toBeVisible();

    // More than fits, and nothing in it to press: it takes the focus, so that keys scroll it.
    await page.setViewportSize({ width: 1280, height: 360 });
    await card.getByRole("button", { name: "As my team sees it" }).click();
    await expect(report.getByRole("article")).toHaveCount(5);
    await axe(page);
    await page.keyboard.press("Escape");
    await expect(report).toBeHidden();

    // A long name makes no page wider than a phone.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/${owner.workspace_id}/accounts/${ANNA}?tab=mail`);
    await expect(page.getByRole("heading", { name: LONG })).toBeVisible();
    await page.getByRole("button", { name: /^offer/ }).click();
    await expect(page.getByText("Hello, about offer.", { exact: true })).toBeVisible();
    const beyond = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(beyond)).toBeLessThanOrEqual(0);
    await axe(page);

    // A record that is open shows what comes.
    await expect(page.getByRole("button", { name: "question" })).toBeVisible();
    server.deliver("INBOX", mail(3, ANNA, US, "renewal"));
    await expect(page.getByRole("button", { name: "renewal" })).toBeVisible();
  } finally {
    await server.stop();
  }
});
