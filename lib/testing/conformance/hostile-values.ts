/**
 * What a caller may send in place of any value, against any schema: as JSON text, because JavaScript cannot print some
 * of it.
 */

/** Names that every object inherits: looking one up in a plain object always finds something. */
export const PROTOTYPE_NAMES = [
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "isPrototypeOf",
  "__proto__",
  "__defineGetter__",
] as const;

/** Text that is no name, number, time or address of anyone, or is one in an odd way. */
const TEXTS: readonly string[] = [
  ...PROTOTYPE_NAMES,
  "",
  " ",
  "\t\r\n",
  "null",
  "undefined",
  "NaN",
  "-Infinity",
  "-0",
  "1.5",
  "1e309",
  "0x10",
  "٣",
  "9007199254740993",
  "'",
  "'; DROP TABLE observations; --",
  "$1",
  "%_\\",
  "{}",
  "[",
  "../../../etc/passwd",
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  "{0190a6e0-0000-7000-8000-000000000001}",
  "workspace",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:60.999999999Z",
  "+275760-09-13T00:00:00.000Z",
  "2026-02-30",
  "2026-06-03T10:00:00+99:99",
  "99999d",
  "a@b",
  "x@constructor.com",
  `${"a".repeat(64)}@${"b".repeat(63)}.com`,
  "https://www.linkedin.com/in/%00",
  "https://linkedin.com/company/%e0%a4%a",
  "http://[::1]:99999/",
  "xn--a.com",
  "\u202e\u200b\ufeff",
  "\ufffd\uffff",
  "İıſKÅ",
  "👩‍👩‍👧‍👦".repeat(20),
  "e\u0301".repeat(300),
  "((((((((((",
  "a & !b | c:*",
];

/** A list's own cursors as another version of that list would have made them. */
export const ODD_POSITIONS: readonly (readonly (string | number | null)[])[] = [
  ...[[], [null], [0], [1.5], [-1], ["x"], ["x", "y"], [null, null], [1, 2], [1e300, "x"], ["", ""], ["x", "y", "z"]],
  ...[
    ["2026-13-01T00:00:00.000Z", "x"],
    ["9999-99-99T00:00:00.000Z", "0190a6e0-0000-7000-8000-000000000001"],
  ],
  ...[
    [Number.MAX_SAFE_INTEGER, "0190a6e0-0000-7000-8000-000000000001"],
    ["2026-06-03T00:00:00.000Z", 1e21],
  ],
  ["last_activity_desc", "'; --", "0190a6e0-0000-7000-8000-000000000001"],
  ["last_activity_desc", 7, "0190a6e0-0000-7000-8000-000000000001"],
  ["icp_score_desc", 1.5, "0190a6e0-0000-7000-8000-000000000001"],
];

const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
const wide = (members: number): string =>
  `{${Array.from({ length: members }, (_, index) => `"k${index}":${index}`).join(",")}}`;

/** Numbers, by their text. */
const NUMBERS = [
  ...["0", "-0", "1", "-1", "0.5", "-1.5", "1.5", "99.999999999999", "101"],
  ...["2147483647", "2147483648", "-2147483649", "4294967296", "9007199254740991", "-9007199254740991"],
  ...["9007199254740993", "1e21", "1e300", "-1e300", "5e-324", "1e400", "-1e400"],
];

/** Text that JSON can write and Postgres cannot keep. */
const BROKEN = [String.raw`"\u0000"`, String.raw`"a\u0000b"`, String.raw`"\ud800"`, String.raw`"x\udc00y"`];

const SHAPES = [
  "[]",
  "[null]",
  "[[]]",
  '[""]',
  "[1.5]",
  "[{}]",
  '["constructor","__proto__"]',
  String.raw`["\ud800"]`,
  "{}",
  '{"":""}',
  '{"length":4294967296}',
  '{"then":1,"toJSON":1}',
  '{"a":{"b":[]}}',
  String.raw`{"\u0000":1}`,
  ...PROTOTYPE_NAMES.map((name) => `{"${name}":"x"}`),
  nested(30, '{"a":', "}"),
  nested(50, "[", "]"),
];

/** Long, wide and deep: large values in place of a field. */
export const LARGE: readonly string[] = [
  JSON.stringify("x".repeat(100_000)),
  JSON.stringify("ﷺ ".repeat(5_000)),
  `[${Array(3_000).fill('"x"').join(",")}]`,
  `[${Array(1_200).fill("{}").join(",")}]`,
  nested(200, '{"a":', "}"),
  nested(5_000, "[", "]"),
  wide(3_000),
];

/** Everything that can be sent in place of a value in a body. */
export const VALUES: readonly string[] = [
  ...["null", "true", "false"],
  ...NUMBERS,
  ...BROKEN,
  ...TEXTS.map((text) => JSON.stringify(text)),
  ...SHAPES,
];

/** What can be sent between `=` and `&` of a query: text, and bytes that are not text. */
export const QUERY_VALUES: readonly string[] = [
  ...[...TEXTS, ...NUMBERS, "null", "true", "false", "a,b,,", ",".repeat(1_000), "gte:", "in:"].map(encodeURIComponent),
  ...["%", "%00", "a%00b", "%ff", "%ed%a0%80", "%c0%80", "+", "&&", "=", "%u0041", ";"],
];

/** What can be sent between two slashes; not empty, and nothing that a client resolves like `..`. */
export const PATH_VALUES: readonly string[] = [
  ...TEXTS.filter((text) => text !== "" && text.length < 2_000).map(encodeURIComponent),
  ...["%", "%00", "a%00b", "%ff", "%ed%a0%80", "%2f", "%2e%2e", "a;b=c", "*", ":id", "%25", "%3f%23"],
];
