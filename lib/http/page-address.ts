import { headers } from "next/headers";
import { originOf } from "./origin.ts";

/** This server's own address, for a page that is being rendered. */
export async function addressOfPage(): Promise<string> {
  const sent = await headers();
  return originOf({ header: (name) => sent.get(name) ?? undefined });
}
