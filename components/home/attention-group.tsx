import {
  CalendarClock,
  Clock,
  Hourglass,
  ListPlus,
  ListTodo,
  type LucideIcon,
  Mail,
  MoonStar,
  Scale,
  X,
} from "lucide-react";
import Link from "next/link";
import { employersIn, valueWords } from "#components/account/value-words.ts";
import { type DisputeValue, SettleDispute } from "#components/records/settle-dispute.tsx";
import { StillTrue } from "#components/records/still-true.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { AttentionItem } from "#lib/domain/knowledge/attention/contract.ts";

const kinds: Readonly<Record<AttentionItem["kind"], { label: string; icon: LucideIcon; place: string }>> = {
  upcoming_meeting: { label: "Meeting", icon: CalendarClock, place: "tab=agents&intent=meeting_prep" },
  conflict: { label: "Sources disagree", icon: Scale, place: "tab=facts" },
  going_dark: { label: "Going dark", icon: MoonStar, place: "tab=timeline" },
  task_due: { label: "Task", icon: ListTodo, place: "tab=timeline" },
  decayed_fact: { label: "Not confirmed", icon: Hourglass, place: "tab=facts" },
};

const spans = [
  { label: "Snooze until tomorrow", days: 1 },
  { label: "Snooze for a week", days: 7 },
  { label: "Snooze for a month", days: 30 },
] as const;

/** Everything that needs attention about one person or company. */
export type Group = { entityId: string; name: string; company: string | null; items: readonly AttentionItem[] };

/** Items by who they are about, in the order of the most urgent of each. */
export function groupsOf(items: readonly AttentionItem[]): Group[] {
  return [...Map.groupBy(items, ({ entity_id }) => entity_id)].map(([entityId, theirs]) => {
    const { entity_name: name = "", company = null } = theirs[0] ?? {};
    return { entityId, name, company, items: theirs };
  });
}

type AttentionGroupProps = {
  group: Group;
  workspaceId: string;
  onConfirm: (entityId: string, property: string) => Promise<void>;
  onSettle: (item: AttentionItem, value: DisputeValue) => Promise<void>;
  onTask: () => void;
  /** Whether the menu of spans is open; a key opens it too. */
  snoozing: boolean;
  onSnoozing: (open: boolean) => void;
  /** `days`: absent, until the reason changes. */
  onHide: (group: Group, days?: number) => void;
};

export const logHref = (workspaceId: string, id: string) => `/${workspaceId}/accounts/${id}?open=log-activity`;
export const replyHref = (workspaceId: string, id: string) =>
  `/${workspaceId}/accounts/${id}?tab=agents&intent=draft_email`;

export function AttentionGroup(props: AttentionGroupProps) {
  const { group, workspaceId, onConfirm, onSettle, onTask, snoozing, onSnoozing, onHide } = props;
  const { entityId, name, company, items } = group;
  return (
    <li
      data-inbox={entityId}
      className="group/inbox relative flex flex-wrap items-start gap-1 py-2.5 pr-2 pl-4 has-[[data-row-link]:focus-visible]:bg-hover"
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Link
            href={`/${workspaceId}/accounts/${entityId}`}
            prefetch={false}
            data-row-link
            className="font-medium hover:underline"
          >
            {name}
          </Link>
          {company ? <span className="text-muted-foreground text-sm">{company}</span> : null}
        </p>
        <ul className="mt-0.5 flex flex-col gap-0.5">
          {items.map((item) => (
            <Reason key={item.id} item={item} workspaceId={workspaceId} onConfirm={onConfirm} onSettle={onSettle} />
          ))}
        </ul>
      </div>
      <span className="absolute top-2 right-10 flex rounded-md bg-card pointer-fine:opacity-0 pointer-fine:group-focus-within/inbox:opacity-100 pointer-fine:group-hover/inbox:opacity-100 max-sm:pointer-coarse:static max-sm:pointer-coarse:order-last max-sm:pointer-coarse:w-full max-sm:pointer-fine:hidden">
        <IconButton data-writes label={`Draft a reply to ${name}`} shortcut="r" size="sm" asChild>
          <Link href={replyHref(workspaceId, entityId)} prefetch={false}>
            <Mail aria-hidden="true" />
          </Link>
        </IconButton>
        <IconButton data-writes label={`Log an activity with ${name}`} shortcut="l" size="sm" asChild>
          <Link href={logHref(workspaceId, entityId)} prefetch={false}>
            <ListPlus aria-hidden="true" />
          </Link>
        </IconButton>
        <IconButton
          data-writes
          label={`Add a task about ${name}`}
          shortcut="t"
          size="sm"
          aria-haspopup="dialog"
          onClick={onTask}
        >
          <ListTodo aria-hidden="true" />
        </IconButton>
      </span>
      <DropdownMenu open={snoozing} onOpenChange={onSnoozing}>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Snooze ${name}`} shortcut="s" size="sm">
            <Clock aria-hidden="true" />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          {spans.map(({ label, days }) => (
            <DropdownMenuItem key={days} onSelect={() => onHide(group, days)}>
              <Clock aria-hidden="true" /> {label}
            </DropdownMenuItem>
          ))}
          <DropdownMenuItem onSelect={() => onHide(group)}>
            <X aria-hidden="true" /> Dismiss
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
    </li>
  );
}

type ReasonProps = Pick<AttentionGroupProps, "workspaceId" | "onConfirm" | "onSettle"> & { item: AttentionItem };

function Reason({ item, workspaceId, onConfirm, onSettle }: ReasonProps) {
  const { label, icon: Icon, place } = kinds[item.kind];
  const { property, values, names } = item;
  return (
    <li className="flex flex-wrap items-start gap-x-2 text-muted-foreground">
      <Icon aria-hidden="true" className="mt-1 size-4 shrink-0" />
      <Link
        href={`/${workspaceId}/accounts/${item.entity_id}?${place}`}
        prefetch={false}
        className="wrap-anywhere min-w-0 flex-1 text-pretty rounded-xs py-0.5 hover:text-foreground hover:underline"
      >
        <span className="sr-only">{label}: </span>
        <LocalTimes>{sentence(item.what)}</LocalTimes>
      </Link>
      {item.kind === "decayed_fact" && property ? (
        <StillTrue property={property} onConfirm={() => onConfirm(item.entity_id, property)} className="-my-1" />
      ) : null}
      {item.kind === "upcoming_meeting" ? (
        <Link
          href={`/${workspaceId}/accounts/${item.entity_id}?${place}`}
          prefetch={false}
          aria-label={`Prepare the meeting with ${item.entity_name}`}
          className="mt-1 flex min-h-6 shrink-0 items-start rounded-xs text-foreground text-sm leading-4 underline"
        >
          Prepare
        </Link>
      ) : (
        <span className="mt-0.5 shrink-0 text-sm tabular-nums">{ageOf(item)}</span>
      )}
      {property && values ? (
        <SettleDispute
          value={values[0]}
          rivals={values.slice(1)}
          wordsOf={(value) => valueWords(property, value, employersIn(names))}
          onSettle={(value) => onSettle(item, value)}
          className="mt-1 mb-1.5 w-full pl-6"
        />
      ) : null}
    </li>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How long ago; the sentence of a meeting says how soon. */
const ageOf = ({ age_days }: AttentionItem): string => (age_days === 0 ? "today" : `${numeral(age_days)}d ago`);
