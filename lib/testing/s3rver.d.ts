declare module "@20minutes/s3rver" {
  /** An S3 server on this machine: the part of it that tests use. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      configureBuckets: readonly { name: string }[];
    });
    httpServer?: { closeAllConnections(): void };
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
