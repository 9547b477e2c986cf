import { createTransport } from "nodemailer";
import { getBoot } from "#lib/settings/boot.ts";
import type { Env } from "#lib/settings/env.ts";

export type Mail = { to: string; subject: string; text: string };

/** Mailing a link needs a mail server and a public address. */
export function canMailLinks(): boolean {
  const { SMTP_URL, APP_URL } = getBoot().env;
  return SMTP_URL !== undefined && APP_URL !== undefined;
}

/** The full address of a page; only a path when the server does not know its public address. */
export const linkTo = (path: string): string => `${getBoot().env.APP_URL ?? ""}${path}`;

export const sendMail = (mail: Mail): Promise<void> => sendMailBy(getBoot().env, mail);

/** Sends a mail by the mail server of these settings; throws what the server said. */
export async function sendMailBy({ SMTP_URL, SMTP_FROM, APP_URL }: Env, mail: Mail): Promise<void> {
  if (!SMTP_URL) throw new Error("SMTP_URL is not set");
  const host = APP_URL ? new URL(APP_URL).hostname : "localhost";
  const transport = createTransport({ url: SMTP_URL, connectionTimeout: 10_000, socketTimeout: 20_000 });
  try {
    await transport.sendMail({ from: SMTP_FROM ?? `Rapport <rapport@${host}>`, ...mail });
  } finally {
    transport.close();
  }
}
