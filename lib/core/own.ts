/**
 * What a table of ours says about a name that a caller chose. Every object inherits `constructor`, `toString` and more: read
 * plainly, a table has something for these.
 */
export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
