import type { Caller } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";
import type { Operation } from "./implement.ts";

/** A list that is read to its end. `rows`: the field of its answer that has the rows. */
type Asked = { list: Operation; rows: string; filters: object; limit: number };

/** Every page of a list in turn, read in the caller's transaction. */
export async function* pagesOf<Row>(caller: Caller, db: Db, { list, rows, filters, limit }: Asked) {
  for (let cursor: string | null = null; ; ) {
    const asked: object = { ...filters, limit, ...(cursor === null ? {} : { cursor }) };
    const page = (await (await list.prepare(caller, asked)).run(db)) as Record<string, unknown>;
    yield page[rows] as readonly Row[];
    cursor = page.next_cursor as string | null;
    if (cursor === null) return;
  }
}
