import { CircleCheck } from "lucide-react";
import { Trouble } from "#components/integrations/connection-state.tsx";
import { Card } from "#components/ui/card.tsx";
import type { SignInRefusal } from "#lib/domain/integrations/mailboxes/words.ts";
import { refusalWords } from "./sign-in-words.ts";

/** How a sign-in with the provider of a mailbox ended; `signed_in`, or why it did not work. */
export function SignInNotice({ outcome }: { outcome: string | undefined }) {
  if (outcome === "signed_in")
    return (
      <p
        role="status"
        className="flex items-start gap-2 rounded-md bg-success-soft px-3 py-2 text-sm text-success-text"
      >
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        The mailbox is connected. Its mail is being read.
      </p>
    );
  const refused = outcome !== undefined && outcome in refusalWords ? refusalWords[outcome as SignInRefusal] : null;
  return refused ? (
    <Card aria-label="The sign-in did not work">
      <Trouble message={refused} />
    </Card>
  ) : null;
}
