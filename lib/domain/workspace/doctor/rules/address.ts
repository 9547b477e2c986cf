/** What the doctor makes of how the app is reached, and how it reaches people. */
import { isLocal } from "#lib/settings/plain-settings.ts";
import { type Finding, failing, fine, warning } from "./finding.ts";

export function ofAddress({ APP_URL, HOST }: { APP_URL?: string | undefined; HOST: string }): Finding {
  if (APP_URL === undefined)
    return isLocal(HOST)
      ? fine("address", "Only this machine reaches the app.")
      : warning(
          "address",
          "APP_URL is not set, so mails, invitations and agents get no link that works elsewhere.",
          "Set APP_URL to the address that people open, such as https://rapport.example.com.",
        );
  const { protocol, hostname } = new URL(APP_URL);
  if (protocol === "http:" && !isLocal(hostname))
    return failing(
      "address",
      `${APP_URL} is not encrypted: passwords and keys can be read on their way.`,
      "Put a proxy with a certificate in front of the app and set APP_URL to its https:// address.",
    );
  return fine("address", `People open ${APP_URL}.`);
}

/** What `APP_URL`/readyz answered: a status, or why there was no answer. */
export type ReachAnswer = { status: number } | { error: string };

export function ofReach(url: string, reached: ReachAnswer): Finding {
  if ("error" in reached)
    return failing(
      "reachable",
      `${url} does not answer from this machine: ${reached.error}.`,
      "Is the app running? Check the name, the certificate and the proxy.",
    );
  return reached.status === 200
    ? fine("reachable", `${url} answers.`)
    : failing(
        "reachable",
        `${url}/readyz answers ${reached.status}.`,
        "See the log of the app and of the proxy: the proxy may lead to another server, or the app is not ready.",
      );
}

/** What the same address without encryption answered; null where nothing did, which is as good. */
export const ofPlain = (url: string, answered: { status: number; to: string | null } | null): Finding =>
  answered === null || (answered.status >= 300 && answered.status < 400 && answered.to?.startsWith("https:"))
    ? fine("plain_http", "Nothing is served without encryption.")
    : warning(
        "plain_http",
        `${url} answers ${answered.status} without encryption: a first visit can be read and changed on its way.`,
        "Let the proxy send http to https, and the app listen where only the proxy reaches it (HOST=127.0.0.1).",
      );

/** Whether the collection of breached passwords knows the word `password`: true, false, or why it did not answer. */
export const ofBreached = (url: string, answered: boolean | { error: string }): Finding =>
  answered === true
    ? fine("breached_passwords", "New passwords are looked for in a collection of breached ones.")
    : warning(
        "breached_passwords",
        `${url} ${answered === false ? "answers, and does not know the commonest password" : `does not answer: ${answered.error}`}. New passwords are taken without it.`,
        "Set BREACHED_PASSWORDS_URL to a range API, such as https://api.pwnedpasswords.com/range, that this machine reaches.",
      );

/** Whether a mail server is set, and how a mail to an address went that the operator named; null when none was asked for. */
export function ofMail(isSet: boolean, sent: { to: string; error: string | null } | null): Finding {
  if (!isSet)
    return warning(
      "mail",
      "SMTP_URL is not set: invitations and new passwords have to be passed on by hand.",
      "Set SMTP_URL and APP_URL, then: rapport doctor --mail you@example.com",
    );
  if (sent === null) return fine("mail", "A mail server is set. `--mail you@example.com` tries it.");
  return sent.error === null
    ? fine("mail", `A mail to ${sent.to} was accepted.`)
    : failing("mail", `The mail to ${sent.to} was not accepted: ${sent.error}`, "Check SMTP_URL and SMTP_FROM.");
}
