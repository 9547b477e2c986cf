import type { ComponentType } from "react";
import { AccountSkeleton } from "#components/account/account-skeleton.tsx";
import { TimelineSkeleton } from "#components/account/timeline-skeleton.tsx";
import { KeysSkeleton } from "#components/api-keys/keys-skeleton.tsx";
import { ApprovalsSkeleton } from "#components/approvals/approvals-skeleton.tsx";
import { ConnectSkeleton } from "#components/connect/connect-skeleton.tsx";
import { ProfileSkeleton } from "#components/gtm-context/profile-skeleton.tsx";
import { HomeSkeleton } from "#components/home/home-skeleton.tsx";
import { ImportSkeleton } from "#components/imports/import-skeleton.tsx";
import { ImportsSkeleton } from "#components/imports/imports-skeleton.tsx";
import { DeliveriesSkeleton } from "#components/integrations/deliveries-skeleton.tsx";
import { IntegrationsSkeleton } from "#components/integrations/integrations-skeleton.tsx";
import { ListsSkeleton } from "#components/leads/lists-skeleton.tsx";
import { NotesSkeleton } from "#components/notes/notes-skeleton.tsx";
import { ListSkeleton } from "#components/records/list-skeleton.tsx";
import { SettingsColumns } from "#components/settings/settings-columns.tsx";
import { SettingsSkeleton } from "#components/settings/settings-skeleton.tsx";
import { TriggersSkeleton } from "#components/triggers/triggers-skeleton.tsx";
import { Card } from "#components/ui/card.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/*
 * Each page as it looks while it loads. The server sends it first (loading.tsx), and the browser shows it without the
 * server when the server is slow.
 */

export const HomeLoading = () => (
  <Page>
    <PageHeader title="Home" />
    <HomeSkeleton />
  </Page>
);

export const PeopleLoading = () => (
  <Page width="full">
    <PageHeader title="People" />
    <ListSkeleton label="Loading people" />
  </Page>
);

export const CompaniesLoading = () => (
  <Page width="full">
    <PageHeader title="Companies" />
    <ListSkeleton label="Loading companies" />
  </Page>
);

export const LeadsLoading = () => (
  <Page>
    <PageHeader title="Leads" />
    <ListsSkeleton />
  </Page>
);

export const LeadListLoading = () => (
  <Page width="full">
    <PageHeader title="Leads" />
    <ListSkeleton label="Loading leads" />
  </Page>
);

export const AccountLoading = () => (
  <Page>
    <AccountSkeleton />
  </Page>
);

export const NotesLoading = () => (
  <Page>
    <PageHeader title="Notes" />
    <NotesSkeleton />
  </Page>
);

const GtmContextLoading = () => (
  <Page>
    <PageHeader
      title="GTM Context"
      description="What every agent knows about your company before it writes or calls."
    />
    <ProfileSkeleton />
  </Page>
);

export const ActivityLoading = () => (
  <Page>
    <PageHeader title="Activity" />
    <TimelineSkeleton />
  </Page>
);

export const ApprovalsLoading = () => (
  <Page width="text">
    <PageHeader
      title="Approvals"
      description="What agents ask to change. Nothing happens until a person approves it."
    />
    <ApprovalsSkeleton />
  </Page>
);

export const IntegrationsLoading = () => (
  <Page width="text">
    <PageHeader
      title="Integrations"
      description="Connect your calendar, call recorder and CRM. What happens there appears on timelines."
    />
    <IntegrationsSkeleton />
  </Page>
);

export const DeliveriesLoading = () => (
  <Page>
    <PageHeader title="Deliveries" />
    <Card>
      <DeliveriesSkeleton />
    </Card>
  </Page>
);

export const TriggersLoading = () => (
  <Page>
    <PageHeader
      title="Triggers"
      description="Signed webhooks that tell your other systems what happens here, as it happens."
    />
    <TriggersSkeleton />
  </Page>
);

export const ImportsLoading = () => (
  <Page>
    <PageHeader
      title="Imports"
      description="People, companies and notes from a CSV file. You see what it would do before anything is written."
    />
    <ImportsSkeleton />
  </Page>
);

export const ImportLoading = () => (
  <Page>
    <ImportSkeleton />
  </Page>
);

export const ApiKeysLoading = () => (
  <Page>
    <PageHeader
      title="API keys"
      description="What agents and scripts sign in with. A key is shown once, when you create it."
    />
    <KeysSkeleton />
  </Page>
);

export const ConnectLoading = () => (
  <Page width="text">
    <PageHeader
      title="Connect an agent"
      description="Agents read what you know about people and companies before they act, and record what happened after."
    />
    <ConnectSkeleton />
  </Page>
);

const SettingsLoading = () => (
  <Page>
    <PageHeader title="Settings" />
    <SettingsColumns nav={null}>
      <SettingsSkeleton />
    </SettingsColumns>
  </Page>
);

/** By the folders of the address within the workspace, longer ones first; with `/` at the end only what is below. */
const pages: readonly [folders: string, loading: ComponentType][] = [
  ["imports/", ImportLoading],
  ["imports", ImportsLoading],
  ["integrations/deliveries", DeliveriesLoading],
  ["integrations", IntegrationsLoading],
  ["home", HomeLoading],
  ["people", PeopleLoading],
  ["companies", CompaniesLoading],
  ["leads", LeadsLoading],
  ["accounts", AccountLoading],
  ["notes", NotesLoading],
  ["gtm-context", GtmContextLoading],
  ["activity", ActivityLoading],
  ["approvals", ApprovalsLoading],
  ["triggers", TriggersLoading],
  ["api-keys", ApiKeysLoading],
  ["connect", ConnectLoading],
  ["settings", SettingsLoading],
];

/** The page at the path as it looks while it loads; nothing for a place outside of a workspace. */
export function LoadingPage({ pathname }: { pathname: string }) {
  const within = pathname.split("/").slice(2).join("/");
  const [, Loading] =
    pages.find(([folders]) => within === folders || within.startsWith(folders.replace(/\/?$/, "/"))) ?? [];
  return Loading ? <Loading /> : null;
}
