import { type ErrorCode, Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { checkJson } from "#lib/core/json.ts";
import { SCIM_PATH, type SentGroup, type SentUser } from "#lib/domain/access/directory/contract.ts";
import * as directory from "#lib/domain/access/directory/service.ts";
import type { Ctx } from "#lib/domain/service-context.ts";
import { answered, byApiKey, enter } from "#lib/http/answer.ts";
import { type Exchange, handler, type RouteHandler } from "#lib/http/exchange.ts";
import { originOf } from "#lib/http/origin.ts";
import { jsonObject } from "#lib/http/parse.ts";
import { received } from "#lib/http/received.ts";
import { requestIdOf } from "#lib/http/request-id.ts";
import { filteringOf } from "./filter.ts";
import { patched } from "./patch.ts";
import * as wire from "./resources.ts";

const BODY_LIMIT = 4 * 1024 * 1024;
const TYPE = "application/scim+json";
const MOST_RESULTS = 500;
const USUAL_RESULTS = 100;

type Request = {
  exchange: Exchange;
  query: URLSearchParams;
  /** The address of SCIM on this server. */
  base: string;
  body: Readonly<Record<string, unknown>>;
};
type Result = { status?: number; value: wire.Resource | Record<string, unknown> | null };
type Work = (ctx: Ctx, request: Request) => Promise<Result>;

/** What is answered at one address. `name` and `path`: as logs and the calls of a key name it. */
type Endpoint = { name: string; path: string; work: Work; readOnly: boolean };

const endpoint = (name: string, path: string, work: Work, { readOnly = false } = {}): Endpoint => ({
  name,
  path: `${SCIM_PATH}${path}`,
  work,
  readOnly,
});

/** The route handler of a SCIM endpoint: an API key opens it, as any other, and bodies and errors have the form of SCIM. */
export function scim({ name, path, work, readOnly }: Endpoint): RouteHandler {
  return handler((exchange) => {
    const requestId = requestIdOf(exchange);
    return answered(
      name,
      exchange,
      requestId,
      async (frame) => {
        frame.headers["Content-Type"] = `${TYPE}; charset=utf-8`;
        const since = performance.now();
        const { again, ...entered } = await enter(exchange, requestId, byApiKey, frame, path);
        const { body, sender } = hasBody(exchange)
          ? await received(exchange, BODY_LIMIT, entered, { since, lookUp: again })
          : { body: null, sender: entered };
        const request = requestOf(exchange, body);
        const { status = 200, value } = await directory.asDirectory(
          sender.caller,
          { operation: name, readOnly },
          (ctx) => work(ctx, request),
        );
        if (status === 201 && value) frame.headers.Location = String((value as wire.Resource).meta.location);
        return { status, body: value && JSON.stringify(shown(value, request.query)) };
      },
      wire.errorOf,
    );
  });
}

const hasBody = ({ method }: Exchange): boolean => method !== "GET" && method !== "DELETE";

const requestOf = (exchange: Exchange, bytes: Buffer | null): Request => {
  const body = bytes === null ? {} : jsonObject(exchange, bytes, { type: TYPE });
  checkJson(body);
  return { exchange, query: new URLSearchParams(exchange.query), base: `${originOf(exchange)}${SCIM_PATH}`, body };
};

/** A resource without the attributes that the caller does not want (RFC 7644, 3.9). */
function shown(value: Record<string, unknown>, query: URLSearchParams): Record<string, unknown> {
  const named = (parameter: string) =>
    (query.get(parameter) ?? "").split(",").flatMap((name) => name.trim().toLowerCase() || []);
  const [only, without] = [named("attributes"), named("excludedAttributes")];
  if (only.length === 0 && without.length === 0) return value;
  if (Array.isArray(value.Resources))
    return { ...value, Resources: value.Resources.map((one: Record<string, unknown>) => shown(one, query)) };
  const always = ["schemas", "id", "meta"];
  const isShown = (name: string) =>
    always.includes(name) ||
    (only.length > 0
      ? only.some((path) => path.split(".")[0] === name.toLowerCase())
      : !without.includes(name.toLowerCase()));
  return Object.fromEntries(Object.entries(value).filter(([name]) => isShown(name)));
}

function pageIn(query: URLSearchParams): directory.PageRequest {
  const number = (name: string, usual: number) => {
    const text = query.get(name);
    if (text === null) return usual;
    if (!/^-?\d{1,9}$/.test(text))
      throw new Fault("invalid_parameter", { parameter: name }, `${name} must be a number.`);
    return Number(text);
  };
  // Less than the first is the first, and less than none is none (RFC 7644, 3.4.2.4).
  return {
    start: Math.max(1, number("startIndex", 1)),
    count: Math.min(MOST_RESULTS, Math.max(0, number("count", USUAL_RESULTS))),
  };
}

const read = { readOnly: true };

/** What differs between the two kinds of resources. `Item`: as it is stored; `Sent`: as a directory sends it. */
type Kind<Item, Sent, Where> = {
  /** As in `scimAddUser` and `/Users`. */
  name: "User" | "Group";
  missing: ErrorCode;
  /** The attributes that the database finds, with how a value is stored there. */
  columns: Readonly<Record<string, (value: string) => Where>>;
  resourceOf(item: Item, base: string): wire.Resource;
  sent(body: Readonly<Record<string, unknown>>): Sent;
  list(
    ctx: Ctx,
    where: Where | object,
    test: ((item: Item) => boolean) | null,
    page: directory.PageRequest,
  ): Promise<directory.Page<Item>>;
  add(ctx: Ctx, sent: Sent): Promise<Item>;
  find(ctx: Ctx, id: string): Promise<Item>;
  replace(ctx: Ctx, id: string, sentBy: (item: Item) => Sent): Promise<Item>;
  remove(ctx: Ctx, id: string): Promise<void>;
};

/** The endpoints of one kind of resources (RFC 7644, 3.2). */
function endpointsOf<Item, Sent, Where>(kind: Kind<Item, Sent, Where>) {
  const { name, resourceOf } = kind;
  const [all, one] = [`/${name}s`, `/${name}s/:id`];
  /** The id in the path; what is no id names nothing. */
  const idIn = ({ exchange }: Request): string => {
    const id = String(exchange.params.id).toLowerCase();
    if (!isUuid(id)) throw new Fault(kind.missing);
    return id;
  };
  const answer = async ({ base }: Request, item: Promise<Item>, status = 200) => ({
    status,
    value: resourceOf(await item, base),
  });
  return {
    list: endpoint(
      `scimList${name}s`,
      all,
      async (ctx, { query, base }) => {
        const { where, test } = filteringOf(query.get("filter"), kind.columns);
        const matches = test && ((item: Item) => test(resourceOf(item, base)));
        const page = await kind.list(ctx, where, matches, pageIn(query));
        return {
          value: wire.listOf(
            page,
            page.items.map((item) => resourceOf(item, base)),
          ),
        };
      },
      read,
    ),
    add: endpoint(`scimAdd${name}`, all, (ctx, request) =>
      answer(request, kind.add(ctx, kind.sent(request.body)), 201),
    ),
    get: endpoint(`scimGet${name}`, one, (ctx, request) => answer(request, kind.find(ctx, idIn(request))), read),
    replace: endpoint(`scimReplace${name}`, one, (ctx, request) => {
      const sent = kind.sent(request.body);
      return answer(
        request,
        kind.replace(ctx, idIn(request), () => sent),
      );
    }),
    change: endpoint(`scimChange${name}`, one, (ctx, request) => {
      const sentBy = (item: Item) => kind.sent(patched(resourceOf(item, request.base), request.body));
      return answer(request, kind.replace(ctx, idIn(request), sentBy));
    }),
    remove: endpoint(`scimRemove${name}`, one, async (ctx, request) => {
      await kind.remove(ctx, idIn(request));
      return { status: 204, value: null };
    }),
  };
}

/** `/scim/v2/Users` */
export const users = endpointsOf<directory.ProvisionedUser, SentUser, directory.UserFilter>({
  name: "User",
  missing: "directory_user_not_found",
  columns: {
    id: (id) => (isUuid(id) ? { id: id.toLowerCase() } : { userName: "" }),
    username: (name) => ({ userName: name.toLowerCase() }),
    externalid: (externalId) => ({ externalId }),
  },
  resourceOf: wire.userResource,
  sent: wire.sentUser,
  list: directory.listUsers,
  add: directory.addUser,
  find: directory.findUser,
  replace: directory.replaceUser,
  remove: directory.removeUser,
});

/** `/scim/v2/Groups` */
export const groups = endpointsOf<directory.ProvisionedGroup, SentGroup, directory.GroupFilter>({
  name: "Group",
  missing: "directory_group_not_found",
  columns: {
    id: (id) => (isUuid(id) ? { id: id.toLowerCase() } : { displayName: "" }),
    displayname: (displayName) => ({ displayName }),
    externalid: (externalId) => ({ externalId }),
  },
  resourceOf: wire.groupResource,
  sent: wire.sentGroup,
  list: directory.listGroups,
  add: directory.addGroup,
  find: directory.findGroup,
  replace: directory.replaceGroup,
  remove: directory.removeGroup,
});

const all = (resources: Record<string, unknown>[]) =>
  wire.listOf({ total: resources.length, start: 1, items: resources }, resources);

/** What a directory reads first, to know what it may ask for. */
export const discovery = {
  providerConfig: endpoint(
    "scimProviderConfig",
    "/ServiceProviderConfig",
    async (_, { base }) => ({ value: wire.providerConfig(base, MOST_RESULTS) }),
    read,
  ),
  resourceTypes: endpoint(
    "scimResourceTypes",
    "/ResourceTypes",
    async (_, { base }) => ({ value: all(wire.resourceTypes(base)) }),
    read,
  ),
  schemas: endpoint("scimSchemas", "/Schemas", async (_, { base }) => ({ value: all(wire.schemas(base)) }), read),
};
