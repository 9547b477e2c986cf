import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { keepOwnQuestions } from "./auth-route.ts";

test.each([
  ["", ""],
  ["?prompt=login", "?prompt=login"],
  ["?prompt=none", ""],
  ["?max_age=", ""],
  ["?acr_values=weak&prompt=login&max_age=9999999&prompt=none", "?prompt=login"],
  ["?scope=everything&redirect_uri=https://evil.example&client_id=x&claims={}", ""],
])("of what the address of signin asks the provider, %j leaves %j", (asked, left) => {
  const request = new NextRequest(`https://rapport.example/api/auth/signin/oidc${asked}`);
  keepOwnQuestions(request.nextUrl.searchParams);
  expect(request.nextUrl.search).toBe(left);
});
