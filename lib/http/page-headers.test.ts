import { expect, test } from "vitest";
import { contentSecurityPolicy } from "./page-headers.ts";

test("scripts and styles run only with the nonce, and nothing may frame or rebase the page", () => {
  const policy = contentSecurityPolicy("abc", { dev: false });
  const of = (name: string) => policy.split("; ").find((each) => each.startsWith(`${name} `));
  expect(of("script-src")).toBe("script-src 'self' 'nonce-abc' 'strict-dynamic'");
  expect(of("style-src")).toBe("style-src 'self' 'nonce-abc'");
  expect(of("connect-src")).toBe("connect-src 'self'");
  for (const name of ["object-src", "base-uri", "frame-ancestors"]) expect(of(name)).toBe(`${name} 'none'`);
  expect(policy).not.toContain("unsafe-eval");
});
