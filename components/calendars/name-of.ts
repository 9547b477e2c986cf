import type { Calendar } from "./calls.ts";

/** What people call it: their user name there, or the host of a private address. */
export const nameOf = ({ kind, user, server }: Calendar): string =>
  kind === "ics" ? `Private address at ${server}` : (user ?? server);
