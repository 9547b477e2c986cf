import type { FeedPlace } from "./address.ts";

/** Rows of a page. */
export const FEED_PAGE = 50;

/** The filters of the address as the operation takes them. `midnight`: when a day begins for the reader. */
export function filtersOf(
  { type, entity, source, from, to }: FeedPlace,
  midnight: (day: string, later: number) => string | null = midnightHere,
) {
  const [since, until] = [from && midnight(from, 0), to && midnight(to, 1)];
  return {
    ...(entity ? { entity_id: entity } : {}),
    ...(type ? { type } : {}),
    ...(source ? { source } : {}),
    ...(since ? { from: since } : {}),
    ...(until ? { to: until } : {}),
  };
}

/** The beginning of the day that comes `later` days after the given one, by the clock here; null for what is no day. */
export function midnightHere(day: string, later: number): string | null {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) return null;
  return new Date(year, month - 1, date + later).toISOString();
}

/** The server does not know the reader's days: such a page is read by the browser. */
export const isReadByServer = ({ from, to }: Pick<FeedPlace, "from" | "to">): boolean => from === null && to === null;

/** Whether anything is filtered. */
export const isFiltered = (place: FeedPlace): boolean => Object.values(place).some((value) => value !== null);

const commonSources = ["manual", "api", "mcp", "cal_com", "fathom", "crm", "csv_import"];

/** The sources to choose from: the common ones, those of the list, and the chosen one. */
export const sourcesOf = (sources: Iterable<string>, chosen: string | null): string[] => [
  ...new Set([...commonSources, ...sources, ...(chosen ? [chosen] : [])]),
];
