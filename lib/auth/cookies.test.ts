import { describe, expect, test } from "vitest";
import { renamedCookies, sessionTokensIn } from "./cookies.ts";

describe("the session tokens of a Cookie header", () => {
  test.each([
    [undefined, []],
    ["", []],
    ["a=b; next-auth.csrf-token=x", []],
    ["next-auth.session-token=abc", ["abc"]],
    ["a=1; next-auth.session-token=abc; b=2", ["abc"]],
    [
      "next-auth.session-token.1=b; next-auth.session-token.0=a; next-auth.session-token.10=k; next-auth.session-token.2=c",
      ["abck"],
    ],
    ["next-auth.session-token.x=a", []],
    ["next-auth.session-token=", []],
    ["xnext-auth.session-token=abc", []],
    ["__Host-next-auth.session-token=abc; __Secure-next-auth.session-token=def", []],
  ])("on http: %s", (header, tokens) => {
    expect(sessionTokensIn(header, false)).toEqual(tokens);
  });

  test.each([
    ["__Host-next-auth.session-token=abc", ["abc"]],
    ["__Host-next-auth.session-token.0=a; __Host-next-auth.session-token.1=b=", ["ab="]],
    ["__Secure-next-auth.session-token=old; __Host-next-auth.session-token=new", ["new", "old"]],
    ["next-auth.session-token=abc", []],
    ["next-auth.session-token=abc; __Host-next-auth.session-token=def", ["def"]],
    ["__host-next-auth.session-token=abc", []],
  ])("on https: %s", (header, tokens) => {
    expect(sessionTokensIn(header, true)).toEqual(tokens);
  });
});

describe("cookies under the name of releases before 0.2.0", () => {
  test.each([
    [["a", "__Host-next-auth.session-token"], []],
    [
      ["a", "__Secure-next-auth.session-token"],
      [{ old: "__Secure-next-auth.session-token", name: "__Host-next-auth.session-token" }],
    ],
    [
      ["__Secure-next-auth.session-token.0", "__Secure-next-auth.session-token.1"],
      [
        { old: "__Secure-next-auth.session-token.0", name: "__Host-next-auth.session-token.0" },
        { old: "__Secure-next-auth.session-token.1", name: "__Host-next-auth.session-token.1" },
      ],
    ],
    [
      ["__Secure-next-auth.session-token", "__Host-next-auth.session-token"],
      [{ old: "__Secure-next-auth.session-token", name: null }],
    ],
  ])("%j", (names, renamed) => {
    expect(renamedCookies(names)).toEqual(renamed);
  });
});
