import { ImapServer, LOGIN, type StoredMail } from "#lib/testing/imap.fixture.ts";
import { axe, expect, shoot, signIn, test } from "./fixture.ts";

const US = LOGIN.user;
const ANNA = "anna@prospect.example";
const BANK = "desk@bank.example";

const mail = (uid: number, from: string, to: string, subject: string): StoredMail => ({
  uid,
  source: `From: <${from}>\r\nTo: <${to}>\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <m${uid}.${subject}@mail.example>\r\n\r\nHello, about ${subject}.\r\n`,
});

test("a mailbox is connected, tells of new mail by itself, and what is read of it is changed", async ({
  owner,
  page,
}) => {
  test.slow();
  const server = await new ImapServer({
    folders: [
      { path: "INBOX", mails: [mail(1, ANNA, US, "pilot")] },
      { path: "Sent", flags: ["\\Sent"], mails: [mail(1, US, ANNA, "offer"), mail(2, US, BANK, "account")] },
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
    await dialog.getByRole("button", { name: "Name the mail server" }).click();
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

    // A record that is open shows what comes.
    await page.goto(`/${owner.workspace_id}/accounts/${ANNA}?tab=mail`);
    await expect(page.getByRole("button", { name: "question" })).toBeVisible();
    server.deliver("INBOX", mail(3, ANNA, US, "renewal"));
    await expect(page.getByRole("button", { name: "renewal" })).toBeVisible();
  } finally {
    await server.stop();
  }
});
