import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { AccountView } from "#components/account/account-view.tsx";
import { accountAddress } from "#components/account/address.ts";
import { momentOf, timeInput } from "#components/account/moment.ts";
import { OwnAddress } from "#components/account/own-address.tsx";
import { Page } from "#components/ui/page-header.tsx";
import { readState, type SearchParams } from "#components/ui/query-state.ts";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { unlessRefused } from "#lib/core/errors.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getAccount, getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

type AccountPageProps = { params: Promise<{ workspace: string; id: string }>; searchParams: Promise<SearchParams> };

const readPlace = async (search: Promise<SearchParams>) => readState(accountAddress, await search);

export async function generateMetadata({ params }: AccountPageProps): Promise<Metadata> {
  const { workspace, id } = await params;
  const { caller } = await requireMember(workspace);
  const account = await readAccount(caller, decodeURIComponent(id), null, "true");
  return { title: account?.name ?? "Not found" };
}

export default async function AccountPage({ params, searchParams }: AccountPageProps) {
  const [{ workspace, id }, place, origin] = await Promise.all([params, readPlace(searchParams), addressOfPage()]);
  const { caller } = await requireMember(workspace);
  const readAt = Date.now();
  const moment = momentOf(place, readAt);
  const focus = decodeURIComponent(id);
  const account = await readAccount(caller, focus, moment?.day ?? null, moment?.by ?? "true");
  if (!account) notFound();
  if (account.type === "workspace") redirect(`/${workspace}/gtm-context`);
  const timeline = await getTimeline.execute(caller, { focus: account.entity_id });
  if ("candidates" in timeline) notFound();
  return (
    <Page>
      <OwnAddress path={`/${workspace}/accounts/${account.entity_id}`} />
      <AccountView
        key={account.entity_id}
        workspaceId={caller.workspaceId}
        origin={origin}
        first={{ account, moment, readAt }}
        timeline={{ page: timeline, readAt }}
        administers={roleIncludes(caller.role, "admin")}
        plan={caller.plan}
      />
    </Page>
  );
}

/** The record, or null when there is none; read once for the title and the page. */
const readAccount = cache(
  async (caller: PageMember["caller"], focus: string, day: string | null, by: "true" | "known") => {
    const moment = day === null ? null : momentOf({ as_of: day, by: by === "known" ? by : null }, Date.now());
    const account = await unlessRefused(getAccount.execute(caller, { focus, ...timeInput(moment) }));
    return account && "candidates" in account ? null : account;
  },
);
