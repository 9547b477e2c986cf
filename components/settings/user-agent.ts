const browsers: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
  ["curl", /^curl\//],
];

const systems: readonly [name: string, pattern: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** "Firefox on Linux": enough to recognise one's own device. */
export function deviceName(userAgent: string | null): string {
  const text = userAgent ?? "";
  const browser = browsers.find(([, pattern]) => pattern.test(text))?.[0];
  const system = systems.find(([, pattern]) => pattern.test(text))?.[0];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}

export const isPhone = (userAgent: string | null): boolean => /\b(iPhone|Android.*Mobile)\b/.test(userAgent ?? "");
