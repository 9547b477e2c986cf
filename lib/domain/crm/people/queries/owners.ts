import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** How many people and companies someone owns. */
export type OwnedRecords = { people: number; companies: number };

const OWNED = "owner, count(*)::int AS count";

// people_owner_activity_idx, companies_owner_activity_idx, each read alone, behind what no one owns
const peopleByOwner = sql(
  "people_by_owner",
  `SELECT ${OWNED} FROM people WHERE workspace_id = $workspace AND status = 'active' AND owner > '' GROUP BY owner`,
);
const companiesByOwner = sql(
  "companies_by_owner",
  `SELECT ${OWNED} FROM companies WHERE workspace_id = $workspace AND status = 'active' AND owner > '' GROUP BY owner`,
);
const peopleOfOwner = sql(
  "people_of_owner",
  `SELECT ${OWNED} FROM people WHERE workspace_id = $workspace AND status = 'active' AND owner = $1 GROUP BY owner`,
);
const companiesOfOwner = sql(
  "companies_of_owner",
  `SELECT ${OWNED} FROM companies WHERE workspace_id = $workspace AND status = 'active' AND owner = $1 GROUP BY owner`,
);

type OwnerCount = { owner: string; count: number };

/** The records of each owner, by e-mail address, also of owners who have left; archived ones do not count. */
export async function countByOwner(db: Db): Promise<Map<string, OwnedRecords>> {
  const [people, companies] = await together([
    db.query<OwnerCount>(peopleByOwner),
    db.query<OwnerCount>(companiesByOwner),
  ]);
  const counts = new Map(people.map(({ owner, count }) => [owner, { people: count, companies: 0 }]));
  for (const { owner, count } of companies)
    counts.set(owner, { people: counts.get(owner)?.people ?? 0, companies: count });
  return counts;
}

/** The same of one owner. */
export async function countOfOwner(db: Db, email: string): Promise<OwnedRecords> {
  const [[people], [companies]] = await together([
    db.query<OwnerCount>(peopleOfOwner, [email]),
    db.query<OwnerCount>(companiesOfOwner, [email]),
  ]);
  return { people: people?.count ?? 0, companies: companies?.count ?? 0 };
}
