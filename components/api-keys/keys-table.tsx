import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "#components/ui/table.tsx";
import type { ApiKey } from "#lib/domain/access/api-keys/contract.ts";
import { accessText } from "./access.ts";
import {
  Addresses,
  Created,
  Expires,
  KeyLimits,
  LastUsed,
  maskedKey,
  NeedsApproval,
  StatusBadge,
} from "./key-facts.tsx";
import { KeyMenu, type Wish } from "./key-menu.tsx";

export type KeysProps = {
  label: string;
  keys: readonly ApiKey[];
  /** Ended keys: the last column shows since when. */
  ended?: boolean;
  /** Absent for readers who may not change keys. */
  onWish?: ((wish: Wish, apiKey: ApiKey) => void) | undefined;
  /** Shows how the key is used. */
  onOpen: (apiKey: ApiKey) => void;
};

/** A table where it has room, else cards. */
export function KeysTable(props: KeysProps) {
  return (
    <div className="@container">
      <Wide {...props} />
      <Cards {...props} />
    </div>
  );
}

const canChange = ({ status }: ApiKey): boolean => status === "active" || status === "expiring";

function NameButton({ apiKey, onOpen }: { apiKey: ApiKey; onOpen: KeysProps["onOpen"] }) {
  return (
    <button
      type="button"
      title={apiKey.name}
      className="min-h-6 min-w-0 truncate rounded-xs text-left font-medium after:absolute after:inset-0"
      onClick={() => onOpen(apiKey)}
    >
      {apiKey.name}
    </button>
  );
}

function Wide({ label, keys, ended, onWish, onOpen }: KeysProps) {
  return (
    <Table label={label} boxClassName="@max-[52rem]:hidden">
      <TableHeader>
        <tr>
          <TableHead>Name</TableHead>
          <TableHead>Key</TableHead>
          <TableHead>Access</TableHead>
          <TableHead>Created</TableHead>
          <TableHead>Last used</TableHead>
          <TableHead>{ended ? "Ended" : "Expires"}</TableHead>
          {onWish ? (
            <TableHead>
              <span className="sr-only">Actions</span>
            </TableHead>
          ) : null}
        </tr>
      </TableHeader>
      <TableBody>
        {keys.map((apiKey) => (
          <TableRow key={apiKey.id} className="relative">
            <TableCell className="max-w-56">
              <span className="flex items-center gap-2">
                <NameButton apiKey={apiKey} onOpen={onOpen} />
                <StatusBadge {...apiKey} />
              </span>
            </TableCell>
            <TableCell className="whitespace-nowrap font-mono text-muted-foreground text-sm">
              {maskedKey(apiKey)}
            </TableCell>
            <TableCell className="max-w-48 whitespace-nowrap">
              {accessText(apiKey.scopes)}
              <NeedsApproval {...apiKey} />
              <KeyLimits {...apiKey} />
              <Addresses {...apiKey} />
            </TableCell>
            <TableCell className="max-w-40">
              <Created {...apiKey} />
            </TableCell>
            <TableCell className="max-w-40">
              <LastUsed {...apiKey} />
            </TableCell>
            <TableCell>
              <Expires {...apiKey} />
            </TableCell>
            {onWish ? (
              <TableCell align="right" className="relative w-10">
                {canChange(apiKey) ? <KeyMenu apiKey={apiKey} onWish={(wish) => onWish(wish, apiKey)} /> : null}
              </TableCell>
            ) : null}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Cards({ label, keys, ended, onWish, onOpen }: KeysProps) {
  return (
    <ul aria-label={label} className="flex flex-col divide-y rounded-lg border bg-card @min-[52rem]:hidden">
      {keys.map((apiKey) => (
        <li key={apiKey.id} className="relative flex items-start gap-2 py-3 pr-2 pl-4 hover:bg-hover">
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-center gap-2">
              <NameButton apiKey={apiKey} onOpen={onOpen} />
              <StatusBadge {...apiKey} />
            </div>
            <div className="truncate font-mono text-muted-foreground text-sm">{maskedKey(apiKey)}</div>
            <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 text-sm [&_dt]:text-muted-foreground">
              <div className="min-w-0">
                <dt>Access</dt>
                <dd>
                  {accessText(apiKey.scopes)}
                  <NeedsApproval {...apiKey} />
                  <KeyLimits {...apiKey} />
                  <Addresses {...apiKey} />
                </dd>
              </div>
              <div className="min-w-0">
                <dt>Created</dt>
                <dd>
                  <Created {...apiKey} />
                </dd>
              </div>
              <div className="min-w-0">
                <dt>Last used</dt>
                <dd>
                  <LastUsed {...apiKey} />
                </dd>
              </div>
              <div className="min-w-0">
                <dt>{ended ? "Ended" : "Expires"}</dt>
                <dd>
                  <Expires {...apiKey} />
                </dd>
              </div>
            </dl>
          </div>
          {onWish && canChange(apiKey) ? (
            <div className="relative">
              <KeyMenu apiKey={apiKey} onWish={(wish) => onWish(wish, apiKey)} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
