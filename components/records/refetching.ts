/** `LiveUpdates` reads everything again the moment it changes; this is for what it may have missed. */
export const FALLBACK_MS = 60_000;

/** Pages that are refreshed: a reader who has scrolled far back does not fetch all of them again. */
const REFRESHED_PAGES = 3;

type Shown = { state: { data: { pages: readonly unknown[] } | undefined } };

/** How soon a list that grows page by page is read again. */
export const refetchPages = ({ state }: Shown): number | false =>
  (state.data?.pages.length ?? 0) > REFRESHED_PAGES ? false : FALLBACK_MS;
