import createFetchClient, {
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from "openapi-fetch";
import { RapportError } from "./error.ts";
import { type Retries, withRetries } from "./retries.ts";
import { type paths, readingPosts } from "./schema.ts";

export type Options = Retries & {
  /** The server's address, such as `https://rapport.example.com`. */
  url: string;
  /** An API key: `rpt_…`. */
  key: string;
  /** What your program is called, such as `acme-outreach/1.4`; it is kept with the evidence. */
  client?: string;
  /** In place of the global one. */
  fetch?: (request: Request) => Promise<Response>;
};

type Json = Record<string, unknown>;
type Api = ReturnType<typeof createFetchClient<paths>>;
type HttpMethod = "get" | "post" | "put" | "patch" | "delete";
type PathWith<Method extends HttpMethod> = ClientPathsWithMethod<Api, Method>;

/** May be left out where nothing in it is required. */
type Init<Given> = undefined extends Given ? [init?: Given] : [init: Given];

/** What an operation answers; nothing for those that answer 204. */
type Answer<Operation, Given> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<Operation, Given, `${string}/${string}`>["data"]> extends infer Data
      ? [Data] extends [never]
        ? undefined
        : Data
      : never
    : never;

type OperationAt<Path extends keyof paths, Method extends HttpMethod> = paths[Path][Method & keyof paths[Path]];

/** Calls an operation by its path. Throws a `RapportError` for every answer that is not a success. */
type Call<Method extends HttpMethod> = <
  Path extends PathWith<Method>,
  Given extends MaybeOptionalInit<paths[Path], Method & keyof paths[Path]>,
>(
  path: Path,
  ...init: Init<Given>
) => Promise<Answer<OperationAt<Path, Method>, Given>>;

type PageIn<Data> = Extract<Data, { has_more: boolean; next_cursor: string | null }>;
type Page<Path extends keyof paths> = PageIn<Answer<OperationAt<Path, "get">, object>>;
type PagedPath = {
  [Path in PathWith<"get">]: [Page<Path>] extends [never] ? never : Path;
}[PathWith<"get">];
type Lists<Data> = { [Key in keyof Data]: Data[Key] extends readonly unknown[] ? Key : never }[keyof Data];
type Rows<List> = List extends readonly (infer Row)[] ? Row : never;
type PageInit<Path extends PagedPath> = Init<MaybeOptionalInit<paths[Path], "get" & keyof paths[Path]>>;

export type Client = {
  get: Call<"get">;
  post: Call<"post">;
  put: Call<"put">;
  patch: Call<"patch">;
  delete: Call<"delete">;
  /** Every page of a list, one after the other. A name that several records have throws `ambiguous`. */
  pages<Path extends PagedPath>(path: Path, ...init: PageInit<Path>): AsyncGenerator<Page<Path>, void>;
  /** Every row of a list; `list` is the field of a page that holds them. Pages are asked for as they are needed. */
  each<Path extends PagedPath, List extends Lists<Page<Path>>>(
    path: Path,
    list: List,
    ...init: PageInit<Path>
  ): AsyncGenerator<Rows<Page<Path>[List]>, void>;
};

const KEY = "Idempotency-Key";

export function createClient({ url, key, client = "rapport-client", fetch: send, ...retries }: Options): Client {
  const api = createFetchClient<paths>({
    baseUrl: url,
    headers: { authorization: `Bearer ${key}`, "x-service-client": client },
    fetch: withRetries(send ?? ((request) => fetch(request)), retries),
  });
  api.use({
    onRequest({ request, schemaPath }) {
      const writes = request.method === "POST" && !readingPosts.includes(schemaPath);
      if (writes && !request.headers.has(KEY)) request.headers.set(KEY, crypto.randomUUID());
    },
    onResponse({ response, options }) {
      const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
      if (response.status === 200 && options.parseAs === "json" && !isJson) throw new RapportError(response, null);
    },
  });

  // What `Client` says of each path is not known here.
  type Reply = { data?: unknown; error?: unknown; response: Response };
  const request = api.request as (method: string, path: string, init?: object) => Promise<Reply>;

  async function ask(method: HttpMethod, path: string, init?: object): Promise<Reply> {
    const reply = await request(method, path, init);
    const { data, error, response } = reply;
    if (!response.ok || response.status === 202) throw new RapportError(response, error ?? data);
    return reply;
  }
  const call = (method: HttpMethod) => async (path: string, init?: object) => (await ask(method, path, init)).data;

  async function* pages(path: string, init: { params?: { query?: Json } } = {}) {
    for (let cursor: unknown; ; ) {
      const query = { ...init.params?.query, ...(cursor === undefined ? {} : { cursor }) };
      const { data, response } = await ask("get", path, { ...init, params: { ...init.params, query } });
      const page = data as Json;
      if (!("has_more" in page)) throw new RapportError(response, page);
      yield page;
      if (page.has_more !== true) return;
      cursor = page.next_cursor;
    }
  }
  async function* each(path: string, list: string, init?: object) {
    for await (const page of pages(path, init)) yield* page[list] as unknown[];
  }
  return {
    get: call("get"),
    post: call("post"),
    put: call("put"),
    patch: call("patch"),
    delete: call("delete"),
    pages,
    each,
  } as Client;
}
