import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../../app/globals.css", import.meta.url), "utf8");

const themes = { light: new Map<string, string>(), dark: new Map<string, string>() };
for (const [, name, light, dark] of css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)) {
  themes.light.set(name as string, light as string);
  themes.dark.set(name as string, dark as string);
}

const surfaces = ["background", "sidebar", "card", "popover", "muted", "hover", "selected"];

/** WCAG 1.4.3: text of ordinary size. */
const text: [foreground: string, background: string][] = [
  ...surfaces.flatMap((surface): [string, string][] => [
    ["foreground", surface],
    ["muted-foreground", surface],
  ]),
  ...["background", "card", "popover", "sidebar"].flatMap((surface): [string, string][] => [
    ["primary-text", surface],
    ["success-text", surface],
    ["warning-text", surface],
    ["danger-text", surface],
  ]),
  ["primary-foreground", "primary"],
  ["primary-foreground", "primary-hover"],
  ["danger-foreground", "danger"],
  ["danger-foreground", "danger-hover"],
  ["primary-text", "primary-soft"],
  ["success-text", "success-soft"],
  ["warning-text", "warning-soft"],
  ["danger-text", "danger-soft"],
  ["foreground", "primary-soft"],
  ["foreground", "success-soft"],
  ["foreground", "warning-soft"],
  ["foreground", "danger-soft"],
];

/** WCAG 1.4.11: edges of controls, focus, and marks that carry meaning. */
const series = [1, 2, 3, 4, 5, 6, 7].map((number) => `chart-${number}`);
const marks: [mark: string, background: string][] = ["background", "card", "popover"].flatMap(
  (surface): [string, string][] =>
    ["input", "ring", "primary", "success", "warning", "danger", ...series].map((mark) => [mark, surface]),
);

describe.each(["light", "dark"] as const)("the %s theme", (theme) => {
  const colour = (name: string) => {
    const hex = themes[theme].get(name);
    if (!hex) throw new Error(`globals.css has no --${name}`);
    return hex;
  };

  it.each(text)("prints %s on %s at 4.5:1 or more", (foreground, background) => {
    expect(contrast(colour(foreground), colour(background))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(marks)("draws %s on %s at 3:1 or more", (mark, background) => {
    expect(contrast(colour(mark), colour(background))).toBeGreaterThanOrEqual(3);
  });
});

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
