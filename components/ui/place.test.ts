import { describe, expect, it } from "vitest";
import { type Placing, place } from "./place.ts";

const edges = (left: number, top: number, width = 40, height = 20) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const middle: Placing = {
  anchor: edges(480, 300),
  box: { width: 100, height: 30 },
  view: { width: 1000, height: 620 },
  side: "top",
  align: "center",
};

describe("place", () => {
  it("puts the box on the requested side", () => {
    expect(place(middle)).toEqual({ x: 450, y: 264 });
    expect(place({ ...middle, side: "bottom" })).toEqual({ x: 450, y: 326 });
    expect(place({ ...middle, side: "left" })).toEqual({ x: 374, y: 295 });
    expect(place({ ...middle, side: "right" })).toEqual({ x: 526, y: 295 });
  });

  it("aligns it with the anchor", () => {
    expect(place({ ...middle, align: "start" }).x).toBe(480);
    expect(place({ ...middle, align: "end" }).x).toBe(420);
    expect(place({ ...middle, side: "left", align: "end" }).y).toBe(290);
  });

  it("takes the other side where there is no room, unless that one has less", () => {
    expect(place({ ...middle, anchor: edges(480, 10) }).y).toBe(36);
    expect(place({ ...middle, anchor: edges(480, 590), side: "bottom" }).y).toBe(554);
    expect(place({ ...middle, anchor: edges(480, 30), view: { width: 1000, height: 60 } }).y).toBe(8);
  });

  it("stays inside the window, with its start visible when it is too big", () => {
    expect(place({ ...middle, anchor: edges(0, 300) }).x).toBe(8);
    expect(place({ ...middle, anchor: edges(970, 300) }).x).toBe(892);
    expect(place({ ...middle, box: { width: 2000, height: 30 } }).x).toBe(8);
  });
});
