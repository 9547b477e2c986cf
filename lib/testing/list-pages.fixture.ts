import { expect } from "vitest";

type Get = (path: string) => Promise<{ status: number; body: Record<string, unknown> }>;

/** All rows of `/v2/<list>` with these parameters, page by page. */
export async function allPages<Row>(get: Get, list: string, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await get(`/v2/${list}?${query}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    rows.push(...(body[list] as Row[]));
    if (body.next_cursor === null) return rows;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor as string)}`;
  }
}
