/** The two tenants of a run, each with two keys, an owner's browser and the people of the contracts' examples. */
import { createStage } from "../conformance/stage.ts";
import type { Tenant } from "./requests.ts";

/** What signs the deliveries of recordings. */
export const FATHOM = { secret: `whsec_${"a".repeat(43)}=` };
const fathom = { provider: "fathom", credentials: { signing_secret: FATHOM.secret } };

export async function createTenants(): Promise<[Tenant, Tenant]> {
  const one = async (letter: Tenant["letter"]): Promise<Tenant> => {
    const stage = await createStage();
    await stage.anna();
    await stage.run("saveFact", { section: "ICP", content: `Series A fintechs mark${letter}` });
    await stage.run("saveNote", { focus: "anna@acme.com", content: `Anna wants SSO mark${letter}` });
    await stage.run("connectIntegration", fathom);
    const [key, otherKey] = [await stage.key(), await stage.key()];
    return { letter, stage, key, otherKey, cookie: (await stage.me()).cookie };
  };
  return [await one("A"), await one("B")];
}
