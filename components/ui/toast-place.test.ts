import { expect, test } from "vitest";
import { type Box, type ToastPlace, toastPlace } from "./toast-place.ts";

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const button = (left: number, top: number): Box => ({ left, top, right: left + 90, bottom: top + 32 });

test.each<[string, Box | null, typeof desktop, ToastPlace]>([
  ["no action", null, desktop, "bottom-right"],
  ["one in the middle of the page", button(600, 400), desktop, "bottom-right"],
  ["one in the footer of a sheet", button(1320, 850), desktop, "top-right"],
  ["one at the left of the last line", button(300, 850), desktop, "bottom-right"],
  ["one in the footer of a sheet on a phone", button(280, 800), phone, "top-right"],
  ["one at the left of the last line on a phone", button(10, 800), phone, "top-right"],
  ["one at the top of a phone", button(10, 60), phone, "bottom-right"],
  ["one that fills the right side", { left: 1100, right: 1440, top: 0, bottom: 900 }, desktop, "top-center"],
])("%s is not covered by its toast", (_what, action, screen, place) => {
  expect(toastPlace(action, screen)).toBe(place);
});
