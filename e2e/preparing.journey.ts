/** What a reader sees when they open a page before the pages are built. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type PageCount, preparation, type Step } from "#lib/html/preparing-page.ts";
import type { Exchange } from "#lib/http/exchange.ts";
import { preparingAnswer } from "#lib/http/preparing.ts";
import { axe, expect, test } from "./fixture.ts";

test("a page that is not built yet shows its progress and opens by itself", async ({ page, allowErrors }) => {
  allowErrors(/503/); // the server's answer until then
  let step: Step | "failed" | "done" = "compiling";
  let written: PageCount | null = null;
  const began = performance.now();
  const server = createServer((request, response) => {
    if (step === "done") return void response.setHeader("content-type", "text/html").end("<h1>The page</h1>");
    const header = (name: string) => request.headers[name] as string | undefined;
    const { status, headers, body } = preparingAnswer(
      { header } as Exchange,
      preparation(
        { step, since: began, began: new Map([["compiling", began]]), written, lastMs: 44_000 },
        performance.now(),
      ),
    );
    response.writeHead(status, headers).end(body as string);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  try {
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/people?stage=aware`);
    await expect(page.getByRole("heading", { name: "Rapport is preparing its pages" })).toBeVisible();
    await expect(page.getByRole("status")).toHaveText("Compiling the code");
    await expect(page.getByText(/s so far; the last time took 44 s/)).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await axe(page);
    }
    [step, written] = ["writing", { done: 10, of: 40 }];
    await expect(page.getByRole("status")).toHaveText("Writing the pages: 10 of 40");
    const bar = page.getByRole("progressbar", { name: "Preparing the pages" });
    await expect.poll(() => bar.evaluate((element: HTMLProgressElement) => element.position)).toBe(2.25 / 4);
    step = "failed";
    await expect(page.getByRole("alert")).toContainText("The server's log says why.");
    await axe(page);
    step = "done";
    await expect(page.getByRole("heading", { name: "The page", exact: true })).toBeVisible();
    expect(page.url()).toContain("/people?stage=aware");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
