/** A mailbox on a real mail server: mail arrives on its contact, and a colleague sees the conversation that is shared and only it. */
import { Dovecot } from "#lib/testing/dovecot.fixture.ts";
import { dovecot, leftOut, leftOutLines } from "#lib/testing/outside-servers.ts";
import { agentOf, axe, axeInTheDark, expect, inviteGrace, shoot, signIn, test } from "./fixture.ts";

const MAILBOX = { user: "ada@rapport.example", password: "app-password-1" };
const ANNA = "Anna Smith <anna@prospect.example>";

const mail = (id: string, from: string, to: string, subject: string, body: string, more = "") =>
  `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${id}@prospect.example>\r\n${more}\r\n${body}\r\n`;

test("a mailbox is connected, mail arrives, and a colleague sees the conversation that is shared and only it", async ({
  app,
  owner,
  page,
  newVisitor,
}) => {
  if (leftOut(dovecot)) console.log(leftOutLines().join("\n"));
  // biome-ignore lint/suspicious/noSkippedTests: the server is not here; in CI it is demanded
  test.skip(leftOut(dovecot), "there is no Dovecot");
  const server = await new Dovecot([MAILBOX]).start();
  try {
    await server.deliver(
      MAILBOX.user,
      mail("offer", MAILBOX.user, ANNA, "The offer", "Here is our offer for the pilot."),
      { folder: "Sent" },
    );
    await server.deliver(MAILBOX.user, mail("secret", ANNA, MAILBOX.user, "Our budget", "Between us: 40,000."));
    const { person } = await agentOf(app.baseURL, owner)("/v2/people", {
      email: "anna@prospect.example",
      first_name: "Anna",
    });
    const record = `/${owner.workspace_id}/accounts/${(person as { id: string }).id}?tab=mail`;

    // Tested before it is kept; at first this member shares nothing.
    await signIn(page, owner);
    await page.goto(`/${owner.workspace_id}/integrations`);
    await page.getByRole("region", { name: "Your mailbox" }).getByRole("button", { name: "Connect" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail address").fill(MAILBOX.user);
    await dialog.getByLabel("Password").fill(MAILBOX.password);
    await dialog.getByRole("button", { name: "Name the mail server" }).click();
    await dialog.getByLabel("IMAP server").fill(`${server.address.host}:${server.address.port}`);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByText("It has 2 messages in", { exact: false })).toBeVisible();
    await dialog.getByRole("radio", { name: "Nothing" }).check();
    await dialog.getByRole("button", { name: "Connect" }).click();
    const card = page.getByRole("region", { name: MAILBOX.user });
    await expect(card.getByText("2 messages with contacts", { exact: false })).toBeVisible();

    // A mail that arrives is there when it is looked for, and says what it asks.
    await server.deliver(
      MAILBOX.user,
      mail(
        "answer",
        ANNA,
        MAILBOX.user,
        "Re: The offer",
        "Thanks! Who signs it?",
        "In-Reply-To: <offer@prospect.example>\r\n",
      ),
    );
    await card.getByRole("button", { name: /^Check now/ }).click();
    await expect(card.getByText("3 messages with contacts", { exact: false })).toBeVisible();
    await card.getByRole("button", { name: "What was read" }).click();
    await expect(page.getByRole("dialog").getByRole("region", { name: "INBOX" }).getByText("Complete")).toBeVisible();
    await shoot(page, "mail-report");
    await page.keyboard.press("Escape");
    await card.getByRole("button", { name: "As my team sees it" }).click();
    await expect(page.getByRole("dialog").getByText("Your team sees none of your mail.")).toBeVisible();
    await page.keyboard.press("Escape");

    // A colleague sees nothing of it until a conversation is shared, and then that one.
    const grace = await newVisitor();
    await inviteGrace(page, grace, owner);
    await grace.goto(record);
    await expect(grace.getByText("Conversations appear here when", { exact: false })).toBeVisible();
    await page.goto(record);
    await page.getByRole("button", { name: /^Re: The offer/ }).click();
    await expect(page.getByText("Thanks! Who signs it?", { exact: true })).toBeVisible();
    await page.getByRole("combobox", { name: "What others can see of this conversation" }).click();
    await page.getByRole("option", { name: "Everything" }).click();
    await expect(page.getByRole("combobox", { name: "What others can see of this conversation" })).toHaveText(
      "Everything",
    );
    await axe(page);
    await axeInTheDark(page);
    await shoot(page, "mail-threads");
    await page.getByRole("switch", { name: "As my team sees it" }).first().click();
    await expect(page.getByRole("button", { name: /^Our budget/ })).toBeHidden();
    await expect(page.getByRole("button", { name: /^Re: The offer/ })).toBeVisible();
    await shoot(page, "mail-as-team");
    await grace.reload();
    await grace.getByRole("button", { name: /^Re: The offer/ }).click();
    await expect(grace.getByText("Thanks! Who signs it?", { exact: true })).toBeVisible();
    await expect(grace.getByText("budget", { exact: false })).toHaveCount(0);

    // The timeline says what the mail was about to who may see it, and leads to its conversation.
    await grace.getByRole("tab", { name: "Timeline" }).click();
    await grace.getByRole("link", { name: "Re: The offer" }).click();
    await expect(grace.getByText("Thanks! Who signs it?", { exact: true })).toBeVisible();
    await expect(grace.getByText("budget", { exact: false })).toHaveCount(0);

    // Who removes a member decides what becomes of what they shared.
    await page.goto(`/${owner.workspace_id}/settings/members`);
    await page.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
    await page.getByRole("option", { name: /^Owner/ }).click();
    await expect(page.getByText("Grace Hopper is now an owner.")).toBeVisible();
    await page.goto("about:blank");
    await grace.goto(`/${owner.workspace_id}/settings/members`);
    await grace.getByRole("button", { name: `Remove ${owner.owner_email}` }).click();
    const question = grace.getByRole("alertdialog");
    await expect(question.getByText("Mail and meetings they shared: 2 messages")).toBeVisible();
    await question.getByRole("radio", { name: "Remove" }).check();
    await axe(grace);
    await axeInTheDark(grace);
    await shoot(grace, "remove-member");
    await question.getByRole("button", { name: "Remove member" }).click();
    await expect(grace.getByText(`${owner.owner_email} is removed.`)).toBeVisible();
    await grace.goto(record);
    await expect(grace.getByText("Conversations appear here when", { exact: false })).toBeVisible();
  } finally {
    await server.stop();
  }
});
