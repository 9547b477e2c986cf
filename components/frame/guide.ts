/** A page of the guide as the app names it; `docs/guide/<page>.md` has it. */
export type GuideEntry = {
  page: string;
  title: string;
  /** Folders below `app/(app)/[workspace]` that it explains; the longest that fits the address wins. */
  explains?: readonly string[];
};

/** The pages that users of the app look for. A test compares them with the files. */
export const guide: readonly GuideEntry[] = [
  { page: "start", title: "Start", explains: ["home"] },
  {
    page: "agents",
    title: "Connect an agent",
    explains: ["connect", "approvals", "settings/connected-clients", "api-keys"],
  },
  { page: "cli", title: "Command line" },
  { page: "gtm-profile", title: "GTM profile", explains: ["gtm-context"] },
  { page: "contacts", title: "Contacts and evidence", explains: ["accounts"] },
  { page: "signals", title: "Signals and stages", explains: ["activity", "settings/stages"] },
  { page: "lists", title: "Lists and filters", explains: ["people", "companies"] },
  { page: "import", title: "Import a CSV", explains: ["imports"] },
  { page: "leads", title: "Lead lists", explains: ["leads"] },
  { page: "tasks", title: "Tasks and owners" },
  { page: "scoring", title: "ICP scoring", explains: ["settings/scoring"] },
  { page: "search", title: "Search by meaning", explains: ["notes"] },
  { page: "triggers", title: "Triggers", explains: ["triggers"] },
  { page: "integrations", title: "Bookings, recordings, CRM", explains: ["integrations"] },
  { page: "data", title: "Data out and in", explains: ["settings/data"] },
  { page: "operate", title: "Operate", explains: ["settings/backups", "settings/checks"] },
  { page: "plans", title: "Plans", explains: ["settings/plan"] },
  { page: "security", title: "Security", explains: ["settings/audit-log", "settings/members"] },
];

export const guideHref = ({ page }: GuideEntry): string => `/docs/guide/${page}`;

/** What explains the page at this address of a workspace; the first page of the guide when none does. */
export function guideTo(pathname: string): GuideEntry {
  const place = pathname.split("/").slice(2).join("/");
  const fits = (folder: string) => place === folder || place.startsWith(`${folder}/`);
  const length = (entry: GuideEntry) =>
    Math.max(0, ...(entry.explains ?? []).filter(fits).map((folder) => folder.length));
  return guide.reduce((most, entry) => (length(entry) > length(most) ? entry : most));
}
