import {
  Activity,
  Blocks,
  BookOpen,
  Building2,
  FileText,
  House,
  KeyRound,
  ListTodo,
  type LucideIcon,
  Plug,
  Settings,
  ShieldCheck,
  Target,
  Users,
  Zap,
} from "lucide-react";

export type NavEntry = {
  /** Names the entry, and its folder under app/(app)/[workspace] unless `href` leads elsewhere. */
  id: string;
  label: string;
  icon: LucideIcon;
  /** `work` is what people come for every day; `setup` is listed below. */
  group: "work" | "setup";
  /** Goes there after `g`. */
  key: string;
  /** Other words it is found by in the command palette. */
  keywords?: readonly string[];
  /** A place outside the workspace; opens in a new tab. */
  href?: string;
};

/**
 * The one table behind the sidebar, the command palette, the `g` shortcuts and the help dialog. Add a line when its
 * page exists.
 */
export const nav: readonly NavEntry[] = [
  { id: "home", label: "Home", icon: House, group: "work", key: "h", keywords: ["overview", "attention", "pipeline"] },
  { id: "people", label: "People", icon: Users, group: "work", key: "p", keywords: ["contacts", "prospects"] },
  { id: "companies", label: "Companies", icon: Building2, group: "work", key: "c", keywords: ["accounts", "firms"] },
  {
    id: "leads",
    label: "Leads",
    icon: ListTodo,
    group: "work",
    key: "l",
    keywords: ["lists", "outreach", "campaigns"],
  },
  { id: "notes", label: "Notes", icon: FileText, group: "work", key: "n", keywords: ["transcripts", "documents"] },
  {
    id: "gtm-context",
    label: "GTM Context",
    icon: Target,
    group: "work",
    key: "g",
    keywords: ["icp", "market", "product", "pricing", "competitors", "positioning"],
  },
  {
    id: "activity",
    label: "Activity",
    icon: Activity,
    group: "work",
    key: "a",
    keywords: ["feed", "timeline", "events"],
  },
  {
    id: "approvals",
    label: "Approvals",
    icon: ShieldCheck,
    group: "work",
    key: "v",
    keywords: ["pending", "approve", "reject", "review", "waiting"],
  },
  {
    id: "integrations",
    label: "Integrations",
    icon: Blocks,
    group: "setup",
    key: "i",
    keywords: ["cal.com", "calendar", "booking", "fathom", "recorder", "webhook", "deliveries"],
  },
  {
    id: "triggers",
    label: "Triggers",
    icon: Zap,
    group: "setup",
    key: "t",
    keywords: ["webhook", "events", "outbound", "deliveries", "notify"],
  },
  { id: "api-keys", label: "API keys", icon: KeyRound, group: "setup", key: "k", keywords: ["token", "secret"] },
  {
    id: "connect",
    label: "Connect an agent",
    icon: Plug,
    group: "setup",
    key: "m",
    keywords: ["mcp", "claude", "codex", "cursor", "setup"],
  },
  { id: "settings", label: "Settings", icon: Settings, group: "setup", key: "s", keywords: ["profile", "workspace"] },
  {
    id: "docs",
    label: "API reference",
    icon: BookOpen,
    group: "setup",
    key: "d",
    keywords: ["docs", "openapi", "rest"],
    href: "/docs",
  },
];

export const navGroups = ["work", "setup"] as const;

export function navHref(entry: NavEntry, workspaceId: string): string {
  return entry.href ?? `/${workspaceId}/${entry.id}`;
}

/**
 * The entry of the current page; a detail page belongs to its list, which is `belonging` when the address does not show
 * it.
 */
export function currentEntry(pathname: string, belonging: string | null = null): NavEntry | undefined {
  const [, , folder] = pathname.split("/");
  return nav.find((entry) => !entry.href && entry.id === (belonging ?? folder));
}

/** The same page in another workspace; for a detail page its list, since the record is not there. */
export function sameEntryIn(workspaceId: string, pathname: string, belonging: string | null): string {
  return `/${workspaceId}/${(currentEntry(pathname, belonging) ?? nav[0])?.id}`;
}

export const createWorkspaceHref = "/new";
export const signInHref = "/sign-in";
