import { TextLink } from "#components/auth/text-link.tsx";
import type { DeviceLogin } from "#lib/domain/access/device-logins/contract.ts";
import { AuthCard } from "./auth-card.tsx";

const words: Readonly<Record<Exclude<DeviceLogin["status"], "pending">, [title: string, description: string]>> = {
  approved: [
    "The program is signed in",
    "It has an API key of its own. You can close this page and go back to it. The key is on the API keys page, where you can revoke it.",
  ],
  consumed: [
    "The program is signed in",
    "This code was used. The program's key is on the API keys page, where you can revoke it.",
  ],
  denied: ["The program was not signed in", "It has no access to Rapport. You can close this page."],
  expired: ["This code has expired", "A code works for ten minutes. Start the login again in the program."],
};

/** How a login ended. */
export function DeviceResult({ status }: { status: Exclude<DeviceLogin["status"], "pending"> }) {
  const [title, description] = words[status];
  return <AuthCard title={title} description={description} footer={<TextLink href="/">Go to Rapport</TextLink>} />;
}
