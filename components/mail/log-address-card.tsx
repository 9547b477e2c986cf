"use client";

import { Forward } from "lucide-react";
import { useState } from "react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { type LogAddress, type LogAddressAnswer, useLogAddress, useRenewLogAddress } from "./calls.ts";

type LogAddressCardProps = { workspaceId: string; initial: LogAddressAnswer };

/** The address that the reader sends copies of mail to; nothing where the server offers none. */
export function LogAddressCard({ workspaceId, initial }: LogAddressCardProps) {
  const { data } = useLogAddress(workspaceId, initial);
  const renew = useRenewLogAddress(workspaceId);
  if (!data.available) return null;
  const { log_address: own, unknown } = data;
  return (
    <Card aria-labelledby="log-address">
      <CardHeader
        titleId="log-address"
        title={
          <span className="flex items-center gap-2">
            <Forward aria-hidden="true" className="size-4 text-muted-foreground" />
            Send a copy
          </span>
        }
        description="Put your address in Bcc, or forward a mail to it, and your team sees the mail on the timelines of its contacts."
        actions={
          own ? (
            <AlertDialog
              trigger={<Button data-writes>New address</Button>}
              title="Get a new address"
              description="The address you have now stops working at once. Copies you have sent stay."
              confirmLabel="Get a new address"
              onConfirm={async () => void (await renew.mutateAsync())}
            />
          ) : (
            <Button
              data-writes
              loading={renew.isPending}
              onClick={() => renew.mutate(undefined, { onError: toastProblem })}
            >
              Get an address
            </Button>
          )
        }
      />
      {own ? <Own address={own} /> : null}
      {unknown ? (
        <p className="border-t px-4 py-3 text-muted-foreground text-sm">
          {unknown.count === 1 ? "One mail" : `${numeral(unknown.count)} mails`} came to addresses that no one here has,
          the last <RelativeTime value={unknown.last_at} />. Someone may still use an address that was replaced, or that
          of a member who left.
        </p>
      ) : null}
    </Card>
  );
}

function Own({ address: { address, received_at: receivedAt, refused } }: { address: LogAddress }) {
  return (
    <>
      <div className="flex flex-col gap-1 border-t px-4 py-3">
        {address === null ? (
          <p>Your address cannot be read with the key of this server any more. Get a new one.</p>
        ) : (
          <p className="flex items-center gap-2">
            <span className="wrap-anywhere min-w-0 flex-1 font-mono text-sm">{address}</span>
            <CopyButton value={address} label="Copy your address" size="sm" />
          </p>
        )}
        <p className="text-muted-foreground text-sm">
          {receivedAt === null ? (
            "Nothing has arrived yet."
          ) : (
            <>
              Last copy kept <RelativeTime value={receivedAt} />
            </>
          )}
        </p>
      </div>
      {refused.length > 0 ? <Refused refused={refused} /> : null}
    </>
  );
}

const reasons = {
  not_a_member: "Not from an address of yours",
  not_authentic: "The mail server could not prove the sender",
  no_contact: "No one outside your company in it",
  unreadable: "It could not be read",
} as const satisfies Record<LogAddress["refused"][number]["reason"], string>;

/** So many are shown before the reader asks for all. */
const FIRST = 3;

/** What was not kept, the latest first. */
function Refused({ refused }: Pick<LogAddress, "refused">) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? refused : refused.slice(0, FIRST);
  return (
    <div className="border-t px-4 py-3">
      <p className="font-medium text-sm">Not kept</p>
      <ul className="mt-1 flex flex-col gap-1 text-sm">
        {shown.map(({ at, from, reason }) => (
          <li key={`${at} ${from}`} className="flex flex-wrap items-baseline gap-x-2">
            <span className="wrap-anywhere min-w-0">{from ?? "Unknown sender"}</span>
            <span className="min-w-0 flex-1 text-muted-foreground">{reasons[reason]}</span>
            <span className="text-muted-foreground">
              <RelativeTime value={at} />
            </span>
          </li>
        ))}
      </ul>
      {refused.length > shown.length ? (
        <Button size="sm" className="mt-2" onClick={() => setWhole(true)}>
          Show all {refused.length}
        </Button>
      ) : null}
    </div>
  );
}
