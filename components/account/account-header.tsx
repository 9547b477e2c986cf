"use client";

import { FilePlus, ListPlus } from "lucide-react";
import Link from "next/link";
import { Avatar } from "#components/ui/avatar.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { keepTyping } from "#components/ui/typed-ahead.ts";
import { AccountMenu } from "./account-menu.tsx";
import type { AccountPage } from "./account-page.ts";
import { AsOf } from "./as-of.tsx";
import { type Account, exportAddressOf } from "./calls.ts";
import { IcpBadge } from "./icp.tsx";
import { ownerOf } from "./owner.ts";
import { OwnerMenu } from "./owner-menu.tsx";
import { valueWords } from "./value-words.ts";

/** Who it is, and what can be done about them. */
export function AccountHeader({ page }: { page: AccountPage }) {
  const { workspaceId, account, changes, list, moment, setPlace } = page;
  return (
    <PageHeader
      breadcrumbs={[
        { label: account.type === "company" ? "Companies" : "People", href: `/${workspaceId}/${list}` },
        { label: account.name },
      ]}
      title={
        <span className="flex items-center gap-2.5">
          <Avatar name={account.name} square={account.type === "company"} size="lg" />
          <span className="wrap-anywhere">{account.name}</span>
        </span>
      }
      aside={
        <>
          {account.icp ? <IcpBadge icp={account.icp} onOpen={() => setPlace({ open: "score" })} /> : null}
          {account.status === "archived" ? <Badge>Archived</Badge> : null}
          <OwnerMenu
            workspaceId={workspaceId}
            owner={ownerOf(account)}
            onOwner={moment === null ? (owner) => void changes.setOwner(owner) : undefined}
          />
        </>
      }
      description={<Subtitle workspaceId={workspaceId} account={account} />}
      actions={
        <>
          <AsOf
            moment={moment}
            onMoment={(day, by) => setPlace({ as_of: day, by: day && by === "known" ? "known" : null })}
          />
          {moment === null ? <Actions page={page} /> : null}
        </>
      }
    />
  );
}

/** The narrowest phones have room for the words alone. */
const narrow = "max-[24rem]:[&>svg]:hidden";

function Actions({ page }: { page: AccountPage }) {
  const { workspaceId, id, account, isPerson, administers, setPlace, changes } = page;
  return (
    <>
      <Button data-writes aria-haspopup="dialog" className={narrow} onClick={() => setPlace({ open: "log-activity" })}>
        <ListPlus aria-hidden="true" /> Log activity
      </Button>
      <Button data-writes variant="primary" className={narrow} onClick={() => setPlace({ open: "new-note" })}>
        <FilePlus aria-hidden="true" /> Add note
      </Button>
      <AccountMenu
        archived={account.status === "archived"}
        onMerge={() => {
          keepTyping();
          setPlace({ open: "merge" });
        }}
        onMerged={() => setPlace({ open: "merged" })}
        onArchived={(archived) => void changes.setArchived(archived)}
        {...(isPerson && administers
          ? {
              privacy: {
                exportAddress: exportAddressOf(workspaceId, id),
                onErase: () => setPlace({ open: "erase" }),
              },
            }
          : {})}
      />
    </>
  );
}

/** The line under the name: title and company, or industry and country. */
function Subtitle({ workspaceId, account }: { workspaceId: string; account: Account }) {
  const claimWords = (property: string) => {
    const claim = account.claims[property];
    return claim ? valueWords(property, claim.value) : null;
  };
  if (account.type === "company") {
    return [claimWords("industry"), claimWords("country"), employees(claimWords("employee_count"))]
      .filter(Boolean)
      .join(" · ");
  }
  const [company] = account.relationships.works_at;
  const title = claimWords("job_title");
  return (
    <>
      {title}
      {title && (company || claimWords("company")) ? " at " : null}
      {company ? (
        <Link
          href={`/${workspaceId}/accounts/${company.entity_id}`}
          className="rounded-xs text-foreground underline decoration-border-strong underline-offset-3 hover:decoration-current"
        >
          {company.name}
        </Link>
      ) : (
        claimWords("company")
      )}
    </>
  );
}

const employees = (count: string | null): string | null => (count === null ? null : `${count} employees`);
