import { type Browser, chromium } from "playwright";
import { resolveBrowser } from "../e2e/browser.ts";

/** The browser that the journeys find. */
export async function openBrowser(): Promise<Browser> {
  const { source: _, ...launch } = await resolveBrowser();
  return chromium.launch(launch);
}
