/**
 * Looks up a name that a caller chose in one of our tables. Every object inherits `constructor`, `toString` and more,
 * so a plain look-up would find something for these.
 */
export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
