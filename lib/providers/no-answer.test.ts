import { expect, test } from "vitest";
import { noAnswerWords } from "./no-answer.ts";

const coded = (code: string) => Object.assign(new Error(code), { code });

test.each<[string, unknown, string | null]>([
  ["a name that is not in the DNS", coded("ENOTFOUND"), "Its name cannot be resolved."],
  ["a closed port", coded("ECONNREFUSED"), "It refuses connections."],
  ["a certificate of another name", coded("ERR_TLS_CERT_ALTNAME_INVALID"), "Its certificate is for another name."],
  ["an answer that is not HTTP", coded("HPE_INVALID_CONSTANT"), "What it answered is not HTTP."],
  [
    "what fetch wraps",
    new TypeError("fetch failed", { cause: coded("EAI_AGAIN") }),
    "Its name cannot be resolved at the moment.",
  ],
  [
    "attempts on several addresses, wrapped by fetch",
    new TypeError("fetch failed", { cause: new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")]) }),
    "It refuses connections.",
  ],
  ["an error without a code", new Error("?"), null],
  ["a code of another kind", coded("ERR_INVALID_URL"), null],
])("%s has its own words", (_what, error, said) => {
  expect(noAnswerWords(error)).toBe(said);
});
