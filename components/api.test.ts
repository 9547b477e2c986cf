import { describe, expect, test, vi } from "vitest";
import { ApiError, callOperation } from "#components/api.ts";
import { addressOf, queryOf } from "#lib/core/operation.ts";
import { listFacts, saveFact } from "#lib/domain/records/facts/contract.ts";

const workspaceId = "0190a6e0-0000-7000-8000-000000000001";

function serverAnswers(
  status: number,
  body: unknown,
  headers: Record<string, string> = { "content-type": "application/json" },
) {
  const fetched = vi.fn(
    async (_url: string, _init: RequestInit) =>
      new Response(body === null ? null : JSON.stringify(body), { status, headers }),
  );
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

describe("an address", () => {
  test.each([
    ["/v2/workspace/facts", {}, "/v2/workspace/facts", {}],
    ["/entries/:id/edit", { id: "a/b?c", content: "x" }, "/entries/a%2Fb%3Fc/edit", { content: "x" }],
    ["/a/:one/:two_three", { one: 1, two_three: "2" }, "/a/1/2", {}],
  ])("%s is filled in from the input", (path, input, address, rest) => {
    expect(addressOf(path, input)).toEqual({ address, rest });
  });

  test.each([
    [{}, ""],
    [{ limit: 5, cursor: undefined, q: null }, "?limit=5"],
    [
      { categories: ["ICP", "GTM Motion"], include_history: true },
      "?categories=ICP&categories=GTM+Motion&include_history=true",
    ],
  ])("%o becomes the query %s", (fields, query) => {
    expect(queryOf(fields)).toBe(query);
  });
});

describe("a call", () => {
  test("sends a read's input in the query", async () => {
    const fetched = serverAnswers(200, { facts: [], count: 0, by_category: {} });
    expect(await callOperation(listFacts, workspaceId, { limit: 3 })).toEqual({ facts: [], count: 0, by_category: {} });
    expect(fetched.mock.calls[0]?.[0]).toBe(`/api/app/${workspaceId}/v2/workspace/facts?limit=3`);
  });

  test("sends a write's input in the body", async () => {
    const fetched = serverAnswers(201, {});
    await callOperation(saveFact, workspaceId, { section: "ICP", content: "x" });
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: "POST", body: '{"section":"ICP","content":"x"}' });
  });

  test("throws the error with its code, sentence, request id and extras", async () => {
    serverAnswers(409, {
      error: "fact_changed",
      message: "Someone changed it.",
      request_id: "r1",
      current_content: "y",
    });
    const error = await callOperation(listFacts, workspaceId, {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "fact_changed",
      status: 409,
      message: "Someone changed it.",
      requestId: "r1",
      extras: { current_content: "y" },
    });
  });

  test("reports a lost connection as offline, and an answer that is not ours as an internal error", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    await expect(callOperation(listFacts, workspaceId, {})).rejects.toMatchObject({ code: "offline", status: 0 });
    serverAnswers(502, "<html>", { "content-type": "text/html" });
    await expect(callOperation(listFacts, workspaceId, {})).rejects.toMatchObject({
      code: "internal_error",
      status: 502,
    });
  });

  test("passes an abort on as it is", async () => {
    const abort = new AbortController();
    abort.abort(new Error("left the page"));
    vi.stubGlobal("fetch", (_url: string, init: RequestInit) => Promise.reject(init.signal?.reason));
    await expect(callOperation(listFacts, workspaceId, {}, { signal: abort.signal })).rejects.toThrow("left the page");
  });
});
