import { expect, test } from "vitest";
import { routeOf } from "./telemetry.ts";

test.each([
  ["/v2/people", {}, "/v2/people"],
  ["/v2/people/anna%40acme.com", { focus: "anna@acme.com" }, "/v2/people/:focus"],
  ["/api/account/invitations/inv_s3cret/accept", { token: "inv_s3cret" }, "/api/account/invitations/:token/accept"],
  ["/inbound/cal-com/abc", { provider: "cal-com", token: "abc" }, "/inbound/:provider/:token"],
  ["/v2/people/%E0%A4%A", { focus: undefined }, "/v2/people/%E0%A4%A"],
])("%s is traced without its values", (path, params, wanted) => {
  expect(routeOf({ path, params })).toBe(wanted);
});
