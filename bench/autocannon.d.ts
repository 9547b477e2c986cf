declare module "autocannon" {
  type Options = {
    url: string;
    connections: number;
    duration: number;
    method: string;
    headers?: Record<string, string>;
    body?: string;
    requests?: readonly { method: string; path: string; body?: string }[];
    /** Replaces `[<id>]` in requests with a different text each time. */
    idReplacement?: boolean;
    setupClient?(client: {
      setRequests(requests: readonly { method: string; path: string; body?: string }[]): void;
    }): void;
  };
  type Result = {
    requests: { average: number; total: number };
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
  };
  export default function autocannon(options: Options): Promise<Result>;
}
