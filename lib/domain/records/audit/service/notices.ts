import { canMailLinks, linkTo, sendMail } from "#lib/auth/mail.ts";
import { formatTime } from "#lib/text/time.ts";
import type { UserAction } from "../words.ts";

/** Changes of how a person signs in that they are told of by mail, in case someone else made them. */
const notices: Partial<Record<UserAction, string>> = {
  "user.password_changed": "Your password was changed",
  "user.second_factor_added": "An app that makes codes was added to your account",
  "user.second_factor_removed": "A second factor was removed from your account",
  "user.passkey_added": "A passkey was added to your account",
  "user.passkey_removed": "A passkey was removed from your account",
  "user.recovery_codes_renewed": "New recovery codes were made for your account",
};

/** Tells the person, where it is such a change and the server sends mail. */
export async function mailNotice(to: string, action: UserAction, ip: string | undefined): Promise<void> {
  const what = notices[action];
  if (what === undefined || !canMailLinks()) return;
  const from = ip === undefined ? "by the person who runs the server" : `from ${ip}`;
  await sendMail({
    to,
    subject: `${what} (Rapport)`,
    text: `${what} on ${formatTime(new Date()).slice(0, 16).replace("T", " at ")} UTC, ${from}.\n\nIf that was not you, choose a new password now, which signs everyone out:\n${linkTo("/forgot-password")}\n\nThen tell the person who runs the server.\n`,
  });
}
