import { expect, test } from "vitest";
import { ApiError } from "#components/api.ts";
import { isWorthAsking } from "#components/retry.ts";

test.each([
  [0, new ApiError("offline", "", 0), true],
  [0, new ApiError("internal_error", "", 500), true],
  [0, new TypeError("something else"), true],
  [1, new ApiError("offline", "", 0), false],
  [0, new ApiError("entity_not_found", "", 404), false],
  [0, new ApiError("invalid_parameter", "", 400), false],
  [0, new ApiError("rate_limited", "", 429), false],
])("after %i failures, %o is asked again: %s", (failures, error, expected) => {
  expect(isWorthAsking(failures, error)).toBe(expected);
});
