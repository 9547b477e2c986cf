import type { Ambiguous } from "#lib/domain/knowledge/contacts/contract.ts";
import { columns } from "../terminal.ts";

/** Several records have the name: says which, and how to name one. */
export async function candidatesText({ candidates, more }: Ambiguous): Promise<{ text: string; exit: 4 }> {
  const rows = candidates.map(({ entity_id, name, detail }) => [entity_id, name, detail]);
  const text = `Several have that name; use an id:\n\n${await columns(["ID", "NAME", "DETAIL"], rows)}${more ? `\nand ${more} more` : ""}`;
  return { text, exit: 4 };
}
