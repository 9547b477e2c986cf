import {
  CalendarCheck,
  CalendarPlus,
  CalendarX,
  CircleDot,
  FileText,
  Globe,
  type LucideIcon,
  Mail,
  MailX,
  MessageSquare,
  Phone,
  Reply,
} from "lucide-react";

const looks: readonly [pattern: RegExp, icon: LucideIcon][] = [
  [/bounce|unsubscrib/, MailX],
  [/repl|received/, Reply],
  [/meeting_(booked|scheduled)|booking/, CalendarPlus],
  [/meeting_cancel/, CalendarX],
  [/meeting/, CalendarCheck],
  [/call|phone/, Phone],
  [/mail/, Mail],
  [/linkedin|message|chat/, MessageSquare],
  [/visit|page|web|sign/, Globe],
  [/note/, FileText],
];

/** The icon of a kind of activity. */
export function EventIcon({ type }: { type: string }) {
  const Icon = looks.find(([pattern]) => pattern.test(type))?.[1] ?? CircleDot;
  return <Icon aria-hidden="true" className="size-4" />;
}
