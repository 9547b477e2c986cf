import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { authRoute, keepOwnQuestions } from "./auth-route.ts";

const logged = useLog();

test("a sign-in that another site sends is refused, and leaves a line in the log", async () => {
  setBoot({ env: readEnv({} as never), databaseUrl: "", secrets: { sessionSecret: "", encryptionKeys: [] } });
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site", "x-request-id": "a-request" };
  const request = new NextRequest("https://rapport.example/api/auth/callback/credentials", { method: "POST", headers });
  const answer = await authRoute(request, { params: Promise.resolve({ nextauth: ["callback", "credentials"] }) });
  expect([answer.status, await answer.json()]).toMatchObject([403, { request_id: "a-request" }]);
  expect(logged.lines()).toMatchObject([
    { request_id: "a-request", path: "/api/auth/callback/credentials", code: "origin_not_allowed" },
  ]);
});

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
