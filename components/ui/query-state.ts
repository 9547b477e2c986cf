/**
 * A page's state in its address, read the same way by the server and the browser. `useQueryStates` of
 * `use-query-state.ts` reads and changes it.
 */
export interface Parser<T> {
  /** Null when the text is no such value. */
  parse(text: string): T | null;
  serialize(value: T): string;
}

interface ParserWithDefault<T> extends Parser<T> {
  /** Left out of addresses. */
  standard: T;
}

// biome-ignore lint/suspicious/noExplicitAny: the values of the parsers have different types
export type ParserMap = Readonly<Record<string, Parser<any>>>;

/** What a part of the state may be, and what it may become. */
export type ValueOf<P> = P extends ParserWithDefault<infer T> ? T : GivenTo<P> | null;
export type GivenTo<P> = P extends Parser<infer T> ? T : never;

export type StateOf<Map extends ParserMap> = { -readonly [Name in keyof Map]: ValueOf<Map[Name]> };

/** What Next hands to a page. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** The parser with the value of an address that says nothing. */
export const withDefault = <T>(parser: Parser<T>, standard: NoInfer<T>): ParserWithDefault<T> => ({
  ...parser,
  standard,
});

export const parseAsString: Parser<string> = { parse: (text) => text, serialize: String };

const numberOf = (text: string, read: (text: string) => number): number | null => {
  const number = read(text);
  return Number.isNaN(number) ? null : number;
};

export const parseAsInteger: Parser<number> = {
  parse: (text) => numberOf(text, Number.parseInt),
  serialize: (value) => String(Math.round(value)),
};

export const parseAsFloat: Parser<number> = { parse: (text) => numberOf(text, Number.parseFloat), serialize: String };

export const parseAsBoolean: Parser<boolean> = {
  parse: (text) => text.toLowerCase() === "true",
  serialize: String,
};

/** One of a closed list of words. */
export const parseAsStringLiteral = <const Word extends string>(words: readonly Word[]): Parser<Word> => ({
  parse: (text) => words.find((word) => word === text) ?? null,
  serialize: String,
});

const COMMA = encodeURIComponent(",");

/** `a,b`; a comma in an item is escaped. */
export const parseAsStrings: Parser<string[]> = {
  parse: (text) => (text === "" ? [] : text.split(",").map((item) => item.replaceAll(COMMA, ","))),
  serialize: (items) => items.map((item) => item.replaceAll(",", COMMA)).join(","),
};

/** `name.region=DACH&name.title=cfo` as the items `region=DACH` and `title=cfo`. `name=region=DACH,title=cfo` is read too. */
interface ParserOfFields extends Parser<string[]> {
  fields: true;
}
export const parseAsFields: ParserOfFields = { ...parseAsStrings, fields: true };

const hasFields = (parser: Parser<unknown> | undefined): boolean =>
  (parser as Partial<ParserOfFields> | undefined)?.fields === true;

/** Whether a parameter of an address holds a part of the state. */
export function isPart(parsers: ParserMap, parameter: string): boolean {
  if (Object.hasOwn(parsers, parameter)) return true;
  const [name = ""] = parameter.split(".", 1);
  return name !== parameter && Object.hasOwn(parsers, name) && hasFields(parsers[name]);
}

const standardOf = (parser: Parser<unknown>): unknown =>
  (parser as Partial<ParserWithDefault<unknown>>).standard ?? null;

/** The state in an address; parts that are missing or cannot be read are null or their default. */
export function readState<Map extends ParserMap>(parsers: Map, search: URLSearchParams | SearchParams): StateOf<Map> {
  const parameters: readonly (readonly [string, string])[] =
    search instanceof URLSearchParams
      ? [...search]
      : Object.entries(search).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each] as const));
  const entries = Object.entries(parsers).map(([name, parser]) => {
    const text = parameters.find(([parameter]) => parameter === name)?.[1];
    const whole = text === undefined ? null : parser.parse(text);
    const items = hasFields(parser)
      ? parameters.flatMap(([parameter, value]) =>
          parameter.startsWith(`${name}.`) ? [`${parameter.slice(name.length + 1)}=${value}`] : [],
        )
      : [];
    return [name, (items.length > 0 ? [...(whole ?? []), ...items] : whole) ?? standardOf(parser)];
  });
  return Object.fromEntries(entries) as StateOf<Map>;
}

/** A change of some parts; null removes a part, and parts that are undefined stay. */
export type StateChange<Map extends ParserMap> = {
  readonly [Name in keyof Map]?: GivenTo<Map[Name]> | null | undefined;
};

/** The address's parameters after a change. */
export function changedState<Map extends ParserMap>(
  parsers: Map,
  before: URLSearchParams,
  change: StateChange<Map>,
): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(change)) {
    const parser = parsers[name];
    if (!parser || value === undefined) continue;
    const isStandard = value !== null && value === standardOf(parser);
    if (hasFields(parser)) setFields(after, name, value ?? []);
    else if (value === null || isStandard) after.delete(name);
    else after.set(name, parser.serialize(value));
  }
  return after;
}

function setFields(parameters: URLSearchParams, name: string, items: readonly string[]): void {
  for (const parameter of [...parameters.keys()])
    if (parameter === name || parameter.startsWith(`${name}.`)) parameters.delete(parameter);
  for (const item of items) {
    const equals = item.indexOf("=");
    if (equals > 0) parameters.append(`${name}.${item.slice(0, equals)}`, item.slice(equals + 1));
  }
}

/** Characters that an address may have as they are stay readable: `?cols=email,phone`. */
const readable: Readonly<Record<string, string>> = { "%2C": ",", "%3A": ":", "%2F": "/", "%3D": "=", "%40": "@" };

/** `path` with the parameters, as short and readable as they can be. */
export function addressWith(path: string, parameters: URLSearchParams): string {
  const parts = [...parameters].map(([name, value]) => {
    const text = new URLSearchParams([["", value]]).toString().slice(1);
    return `${encodeURIComponent(name)}=${text.replace(/%(?:2C|3A|2F|3D|40)/g, (code) => readable[code] ?? code)}`;
  });
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}
