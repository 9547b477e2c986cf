import { gzipSync } from "node:zlib";

/** The size of the scripts that a page's markup loads, in kB of 1,000 bytes after gzip. */
export async function scriptsOf(html: string, base: string): Promise<{ kb: number; files: number }> {
  const sources = new Set(
    [...html.matchAll(/<script[^>]+src="([^"]+\.js[^"]*)"(?![^>]*noModule)/gi)].map((match) => match[1] as string),
  );
  const sizes = await Promise.all([...sources].map((source) => sizeOf(new URL(source, base).href)));
  return { kb: sizes.reduce((sum, size) => sum + size, 0) / 1_000, files: sources.size };
}

const sizeByUrl = new Map<string, Promise<number>>();

function sizeOf(address: string): Promise<number> {
  const size =
    sizeByUrl.get(address) ??
    fetch(address).then(async (answer) => gzipSync(Buffer.from(await answer.arrayBuffer())).length);
  sizeByUrl.set(address, size);
  return size;
}
