import { get } from "node:http";

/** What the scripts that a page's markup loads weigh on their way to a browser, in kB of 1,000 bytes: as the server sends them, in Brotli. */
export async function scriptsOf(html: string, base: string): Promise<{ kb: number; files: number }> {
  const sources = new Set(
    [...html.matchAll(/<script[^>]+src="([^"]+\.js[^"]*)"(?![^>]*noModule)/gi)].map((match) => match[1] as string),
  );
  const sizes = await Promise.all([...sources].map((source) => sizeOf(new URL(source, base).href)));
  return { kb: sizes.reduce((sum, size) => sum + size, 0) / 1_000, files: sources.size };
}

const sizeByUrl = new Map<string, Promise<number>>();

function sizeOf(address: string): Promise<number> {
  const size = sizeByUrl.get(address) ?? received(address);
  sizeByUrl.set(address, size);
  return size;
}

/** The bytes of a body as they arrive; `fetch` unpacks them. */
const received = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = get(address, { headers: { "accept-encoding": "br" } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${address} answered ${answer.statusCode}`));
      let size = 0;
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length;
      });
      answer.on("end", () => resolve(size));
      answer.on("error", reject);
    });
    request.on("error", reject);
  });
