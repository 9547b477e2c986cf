import { describe, expect, it } from "vitest";
import { type PageCount, preparation, type Step } from "#lib/html/preparing-page.ts";
import type { Exchange } from "./exchange.ts";
import { PageServer, pagesState } from "./page-server.ts";
import { preparingAnswer } from "./preparing.ts";

const asked = (headers: Record<string, string>) =>
  ({ method: "GET", path: "/", query: "", params: {}, header: (name: string) => headers[name] }) as unknown as Exchange;
const browser = asked({ accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
const client = asked({ accept: "application/json" });

describe("pages", () => {
  it("are waited for while Next opens the build", async () => {
    const pages = new PageServer();
    const handler = async () => undefined;
    const waiting = pages.handler();
    expect(pagesState()).toBe("preparing");
    pages.serve(handler);
    expect(await waiting).toBe(handler);
    expect(pagesState()).toBe("ready");
  });

  it("are not waited for while they are built, and answer as soon as they are", async () => {
    const pages = new PageServer();
    pages.prepare("compiling");
    expect(await pages.handler()).toBeUndefined();
    expect(JSON.parse(String(pages.meanwhile(client).body))).toMatchObject({
      error: "not_ready",
      pages: { step: "compiling" },
    });
    const handler = async () => undefined;
    pages.serve(handler);
    expect(await pages.handler()).toBe(handler);
  });

  it("report that they failed", async () => {
    const pages = new PageServer();
    pages.prepare("compiling");
    pages.fail();
    expect(await pages.handler()).toBeUndefined();
    expect(pagesState()).toBe("failed");
    expect(pages.meanwhile(browser).body).toContain("could not be built");
  });
});

describe("the answer while pages are prepared", () => {
  const began = new Map([["compiling", 0]] as const);
  const state = preparation({ step: "compiling", since: 0, began, written: null, lastMs: null }, 7_400);

  it("is a page for a browser, which runs nothing but its own script and loads nothing", () => {
    const { status, headers, body } = preparingAnswer(browser, state);
    const nonce = /'nonce-([^']+)'/.exec(headers["Content-Security-Policy"] ?? "")?.[1];
    expect(status).toBe(503);
    expect(headers).toMatchObject({
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Retry-After": "2",
      "X-Content-Type-Options": "nosniff",
    });
    expect(headers["Content-Security-Policy"]).toMatch(/^default-src 'none'; /);
    expect(headers["Content-Security-Policy"]).not.toMatch(/unsafe|\*/);
    const html = String(body);
    for (const tag of html.match(/<(script|style)[^>]*>/g) ?? []) expect(tag).toContain(`nonce="${nonce}"`);
    expect(html.match(/<(script|style)/g)).toHaveLength(2);
    expect(html).not.toMatch(/\s(src|style|on\w+)=|https?:/);
  });

  it("shows the progress to everyone", () => {
    const html = String(preparingAnswer(browser, state).body);
    expect(html).toContain('<html lang="en">');
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html).toContain('role="status"');
    expect(html).toMatch(/<progress id="bar" max="4" value="0" aria-label="[^"]+">/);
    expect(html).toContain("7 s so far");
    expect(html).toContain('<noscript><meta http-equiv="refresh"');
    expect(html).toContain("color-scheme:light dark");
  });

  it("has a different nonce each time", () => {
    const [one, two] = [0, 1].map(() => preparingAnswer(browser, state).headers);
    expect(one?.["Content-Security-Policy"]).not.toBe(two?.["Content-Security-Policy"]);
  });

  it("is JSON for anything else", () => {
    const { status, headers, body } = preparingAnswer(client, state);
    expect([status, headers["Content-Type"]]).toEqual([503, "application/json; charset=utf-8"]);
    expect(JSON.parse(String(body))).toMatchObject({ error: "not_ready", pages: state });
  });

  it("never goes back, and counts what is done", () => {
    const order: Step[] = ["compiling", "collecting", "writing", "opening"];
    const began = new Map(order.map((step, place) => [step, place * 10_000]));
    const at = (step: Step, written: PageCount | null = null) =>
      preparation({ step, since: 0, began, written, lastMs: 44_400 }, 45_000);
    const done = [at("compiling"), at("collecting"), at("writing", { done: 10, of: 40 }), at("opening")];
    expect(done.map((state) => [state.done, state.of])).toEqual([
      [0, 4],
      [1, 4],
      [2.25, 4],
      [3, 4],
    ]);
    expect(at("writing", { done: 10, of: 40 }).steps).toEqual([
      { says: "Compiling the code", state: "done", seconds: 10 },
      { says: "Reading the pages", state: "done", seconds: 10 },
      { says: "Writing the pages: 10 of 40", state: "now", seconds: 10 },
      { says: "Opening them", state: "next", seconds: 15 },
    ]);
    expect(String(preparingAnswer(browser, at("compiling")).body)).toContain("45 s so far; the last time took 44 s");
  });
});
