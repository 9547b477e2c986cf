import type { Db } from "#lib/db/handle.ts";

/** What users are called, by id: those that are gone are left out. */
export async function findUserNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const users = await findThese(ids, (these) =>
    db.prisma.user.findMany({ where: { id: { in: these } }, select: { id: true, name: true, email: true } }),
  );
  return new Map(users.map(({ id, name, email }) => [id, name || email]));
}

/** What keys and connected clients are called, by id: a client with the member who approved it. */
export async function findCallerNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const keys = await findThese(ids, (these) =>
    db.prisma.apiKey.findMany({ where: { id: { in: these } }, select: { id: true, name: true } }),
  );
  const keyIds = new Set(keys.map(({ id }) => id));
  const grants = await findThese(
    ids.filter((id) => !keyIds.has(id)),
    (these) =>
      db.prisma.oauthGrant.findMany({
        where: { id: { in: these } },
        select: { id: true, clientName: true, userId: true },
      }),
  );
  const users = await findUserNames(
    db,
    grants.map(({ userId }) => userId),
  );
  return new Map([
    ...keys.map(({ id, name }) => [id, name] as const),
    ...grants.map(
      ({ id, clientName, userId }) => [id, `${clientName} (${users.get(userId) ?? "former user"})`] as const,
    ),
  ]);
}

/** What actors (`<type>:<id>`) are called: users, keys, and connected clients. */
export async function findActorNames(db: Db, actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const idsOf = (...types: string[]) =>
    actors
      .filter((actor) => types.includes(actor.split(":")[0] ?? ""))
      .map((actor) => actor.slice(actor.indexOf(":") + 1));
  const users = await findUserNames(db, idsOf("user"));
  const callers = await findCallerNames(db, idsOf("api_key", "mcp"));
  return new Map(
    actors.flatMap((actor) => {
      const [type, id = ""] = actor.split(":");
      const name = (type === "user" ? users : callers).get(id);
      return name === undefined ? [] : [[actor, name] as const];
    }),
  );
}

/** Asks for nothing when there is nothing to ask for. */
const findThese = async <Row>(ids: readonly string[], find: (these: string[]) => Promise<Row[]>): Promise<Row[]> =>
  ids.length === 0 ? [] : find([...new Set(ids)]);
