import { describe, expect, test } from "vitest";
import { sessionTokensIn } from "./cookies.ts";

describe("the session tokens of a Cookie header", () => {
  test.each([
    [undefined, []],
    ["", []],
    ["a=b; next-auth.csrf-token=x", []],
    ["next-auth.session-token=abc", ["abc"]],
    ["a=1; next-auth.session-token=abc; b=2", ["abc"]],
    ["next-auth.session-token=abc; __Secure-next-auth.session-token=def", ["def", "abc"]],
    [
      "next-auth.session-token.1=b; next-auth.session-token.0=a; next-auth.session-token.10=k; next-auth.session-token.2=c",
      ["abck"],
    ],
    ["__Secure-next-auth.session-token.0=a; __Secure-next-auth.session-token.1=b=", ["ab="]],
    ["next-auth.session-token.x=a", []],
    ["next-auth.session-token=", []],
    ["xnext-auth.session-token=abc", []],
  ])("%s", (header, tokens) => {
    expect(sessionTokensIn(header)).toEqual(tokens);
  });
});
