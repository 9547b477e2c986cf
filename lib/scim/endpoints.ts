import { Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { checkJson } from "#lib/core/json.ts";
import { SCIM_PATH } from "#lib/domain/access/directory/contract.ts";
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

/** The route handler of an endpoint of SCIM: as any other of ours with an API key, but for the form of bodies and errors. */
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

/** The id in the path; what is no id names nothing. */
function idIn({ params }: Exchange, code: "directory_user_not_found" | "directory_group_not_found"): string {
  const id = String(params.id).toLowerCase();
  if (!isUuid(id)) throw new Fault(code);
  return id;
}

const userId = ({ exchange }: Request) => idIn(exchange, "directory_user_not_found");
const groupId = ({ exchange }: Request) => idIn(exchange, "directory_group_not_found");

const read = { readOnly: true };

/** `/scim/v2/Users` */
export const users = {
  list: endpoint(
    "scimListUsers",
    "/Users",
    async (ctx, { query, base }) => {
      const { where, test } = filteringOf<directory.UserFilter>(query.get("filter"), {
        id: (id) => (isUuid(id) ? { id: id.toLowerCase() } : { userName: "" }),
        username: (name) => ({ userName: name.toLowerCase() }),
        externalid: (externalId) => ({ externalId }),
      });
      const matches = test && ((user: directory.ProvisionedUser) => test(wire.userResource(user, base)));
      const page = await directory.listUsers(ctx, where, matches, pageIn(query));
      return {
        value: wire.listOf(
          page,
          page.items.map((user) => wire.userResource(user, base)),
        ),
      };
    },
    read,
  ),
  add: endpoint("scimAddUser", "/Users", async (ctx, { body, base }) => ({
    status: 201,
    value: wire.userResource(await directory.addUser(ctx, wire.sentUser(body)), base),
  })),
  get: endpoint(
    "scimGetUser",
    "/Users/:id",
    async (ctx, request) => ({
      value: wire.userResource(await directory.findUser(ctx, userId(request)), request.base),
    }),
    read,
  ),
  replace: endpoint("scimReplaceUser", "/Users/:id", async (ctx, request) => {
    const sent = wire.sentUser(request.body);
    return { value: wire.userResource(await directory.replaceUser(ctx, userId(request), () => sent), request.base) };
  }),
  change: endpoint("scimChangeUser", "/Users/:id", async (ctx, request) => {
    const sentBy = (user: directory.ProvisionedUser) =>
      wire.sentUser(patched(wire.userResource(user, request.base), request.body));
    return { value: wire.userResource(await directory.replaceUser(ctx, userId(request), sentBy), request.base) };
  }),
  remove: endpoint("scimRemoveUser", "/Users/:id", async (ctx, request) => {
    await directory.removeUser(ctx, userId(request));
    return { status: 204, value: null };
  }),
};

/** `/scim/v2/Groups` */
export const groups = {
  list: endpoint(
    "scimListGroups",
    "/Groups",
    async (ctx, { query, base }) => {
      const { where, test } = filteringOf<directory.GroupFilter>(query.get("filter"), {
        id: (id) => (isUuid(id) ? { id: id.toLowerCase() } : { displayName: "" }),
        displayname: (displayName) => ({ displayName }),
        externalid: (externalId) => ({ externalId }),
      });
      const matches = test && ((group: directory.ProvisionedGroup) => test(wire.groupResource(group, base)));
      const page = await directory.listGroups(ctx, where, matches, pageIn(query));
      return {
        value: wire.listOf(
          page,
          page.items.map((group) => wire.groupResource(group, base)),
        ),
      };
    },
    read,
  ),
  add: endpoint("scimAddGroup", "/Groups", async (ctx, { body, base }) => ({
    status: 201,
    value: wire.groupResource(await directory.addGroup(ctx, wire.sentGroup(body)), base),
  })),
  get: endpoint(
    "scimGetGroup",
    "/Groups/:id",
    async (ctx, request) => ({
      value: wire.groupResource(await directory.findGroup(ctx, groupId(request)), request.base),
    }),
    read,
  ),
  replace: endpoint("scimReplaceGroup", "/Groups/:id", async (ctx, request) => {
    const sent = wire.sentGroup(request.body);
    return {
      value: wire.groupResource(await directory.replaceGroup(ctx, groupId(request), () => sent), request.base),
    };
  }),
  change: endpoint("scimChangeGroup", "/Groups/:id", async (ctx, request) => {
    const sentBy = (group: directory.ProvisionedGroup) =>
      wire.sentGroup(patched(wire.groupResource(group, request.base), request.body));
    return { value: wire.groupResource(await directory.replaceGroup(ctx, groupId(request), sentBy), request.base) };
  }),
  remove: endpoint("scimRemoveGroup", "/Groups/:id", async (ctx, request) => {
    await directory.removeGroup(ctx, groupId(request));
    return { status: 204, value: null };
  }),
};

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
