import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { Slot, type SlotProps } from "./slot.ts";

const html = (props: SlotProps, child: ReactNode): string => renderToStaticMarkup(createElement(Slot, props, child));

describe("Slot", () => {
  it("renders its child, whose props win", () => {
    const child = createElement("a", { href: "/x", className: "own", title: "own", "aria-label": undefined });
    expect(html({ className: "outer", title: "outer", "aria-label": "outer" } as SlotProps, child)).toBe(
      '<a href="/x" class="outer own" title="own" aria-label="outer"></a>',
    );
  });

  it("runs both handlers, the child's first", () => {
    const ran: string[] = [];
    let click: ((event: unknown) => void) | undefined;
    const Child = (props: { onClick?: (event: unknown) => void }) => {
      click = props.onClick;
      return null;
    };
    html({ onClick: () => ran.push("outer") }, createElement(Child, { onClick: () => ran.push("own") }));
    click?.({});
    expect(ran).toEqual(["own", "outer"]);
  });

  it("joins refs and releases both", () => {
    const outer = vi.fn();
    const own = { current: null as unknown };
    let ref: ((node: unknown) => () => void) | undefined;
    const Child = (props: { ref?: unknown }) => {
      ref = props.ref as typeof ref;
      return null;
    };
    html({ ref: outer }, createElement(Child, { ref: own }));
    const end = ref?.("node");
    expect([outer.mock.calls, own.current]).toEqual([[["node"]], "node"]);
    end?.();
    expect([outer.mock.lastCall, own.current]).toEqual([[null], null]);
  });

  it("refuses anything but one element", () => {
    expect(() => html({}, "text")).toThrow("exactly one element");
    expect(() => html({}, [createElement("a", { key: 1 }), createElement("b", { key: 2 })])).toThrow("exactly one");
  });
});
