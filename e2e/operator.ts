/**
 * Runs commands of `rapport admin`, and begins sessions, for the journeys of one worker, one after the other, in the installation that
 * RAPPORT_DATA_DIR names. Starting a process for each would take longer than all that they do.
 */
import { once } from "node:events";
import { encode } from "next-auth/jwt";
import { findUserByEmail } from "#lib/auth/queries/users.ts";
import { startSession } from "#lib/auth/sessions.ts";
import { findWorkspace } from "#lib/auth/workspace-ids.ts";
import { runCommand } from "#lib/cli/program.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { addMailbox, mailOf } from "#lib/testing/mail.fixture.ts";
import { withInstallation } from "../bin/installation.ts";

/** A command line, whose session to begin, or whose mailbox gets a conversation with a contact. */
export type OperatorTask =
  | { args: string[] }
  | { signIn: string; minutesAgo?: number }
  | { mailbox: string; workspaceId: string; contact: string };
export type OperatorRequest = { id: number } & OperatorTask;
export type OperatorResult = { id: number; exit: number; stdout: string; stderr: string };

const print = async () => undefined;

await withInstallation(async () => {
  let before: Promise<unknown> = Promise.resolve();
  process.on("message", (asked: OperatorRequest) => {
    before = before.then(async () => {
      const done =
        "args" in asked
          ? await runCommand(asked.args, { open: (work) => work(), print })
          : "signIn" in asked
            ? await begin(asked.signIn, asked.minutesAgo)
            : await converse(asked);
      process.send?.({ id: asked.id, ...done } satisfies OperatorResult);
    });
  });
  await once(process, "disconnect");
  await before;
});
process.exit();

/** Prints the token that the cookie of a new session contains, as after a sign-in with the password. */
async function begin(email: string, minutesAgo = 0): Promise<Omit<OperatorResult, "id">> {
  const user = await withoutWorkspace((db) => findUserByEmail(db, email));
  if (!user) return { exit: 1, stdout: "", stderr: `no one has the address ${email}` };
  const sid = await startSession(user.id, { ip: "127.0.0.1", userAgent: null });
  if (minutesAgo > 0) {
    const provenAt = new Date(Date.now() - minutesAgo * 60_000);
    await withoutWorkspace((db) => db.prisma.session.updateMany({ where: { id: sid }, data: { provenAt } }));
  }
  const token = await encode({ token: { sub: user.id, sid }, secret: getBoot().secrets.sessionSecret });
  return { exit: 0, stdout: JSON.stringify({ token }), stderr: "" };
}

/** A mailbox of the person, as a sync leaves it: they wrote to the contact, who answered. No server is asked. */
async function converse({
  mailbox: email,
  workspaceId,
  contact,
}: Extract<OperatorTask, { mailbox: string }>): Promise<Omit<OperatorResult, "id">> {
  const user = await withoutWorkspace((db) => findUserByEmail(db, email));
  const workspace = await findWorkspace(workspaceId);
  if (!user || !workspace) return { exit: 1, stdout: "", stderr: `no one has the address ${email}` };
  const { receive } = await addMailbox({ userId: user.id, email, workspaceId: workspace.id });
  const subject = "Security review and the pilot in the third quarter, with the whole team";
  const from = (sender: string, to: string, id: string) =>
    mailOf(
      {
        From: sender,
        To: to,
        Subject: subject,
        Date: "Wed, 3 Jun 2026 09:00:00 +0000",
        "Message-ID": `<${id}@${workspaceId}>`,
      },
      "Could you send us the report of your last audit? We would like to begin with twelve people.",
    );
  await receive([from(email, contact, "one")], "Sent");
  await receive([from(contact, email, "two")]);
  return { exit: 0, stdout: "{}", stderr: "" };
}
