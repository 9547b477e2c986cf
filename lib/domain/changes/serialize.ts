import type { ChangeRow } from "./queries.ts";

/** A row as the feed shows it, a `Change` as JSON; `name` is what its record is called now. */
export const textOfChange = ({ head, tail }: ChangeRow, cursor: string, name: string | null): string =>
  `{"cursor":"${cursor}",${head},"entity_name":${JSON.stringify(name)},${tail}}`;
