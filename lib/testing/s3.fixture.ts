import { mkdirSync } from "node:fs";
import S3rver from "@20minutes/s3rver";

/** The one account that the server knows. It checks signatures. */
const ACCOUNT = "S3RVER";

export type S3Fixture = Awaited<ReturnType<typeof startS3>>;

/** A real S3 server on this machine, which keeps its files in `directory`, with one bucket. */
export async function startS3(directory: string) {
  const bucket = "backups";
  mkdirSync(directory, { recursive: true });
  const options = { address: "127.0.0.1", port: 0, directory, silent: true, configureBuckets: [{ name: bucket }] };
  const server = new S3rver(options);
  const { port } = await server.run();
  return {
    bucket,
    settings: {
      AWS_ACCESS_KEY_ID: ACCOUNT,
      AWS_SECRET_ACCESS_KEY: ACCOUNT,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    },
    async close(): Promise<void> {
      server.httpServer?.closeAllConnections();
      await server.close();
    },
  };
}
