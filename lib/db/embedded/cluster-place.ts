import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";

/** Where the cluster of a data folder lives, and what runs it. */
export interface ClusterPlace {
  /** Contains `data` (the cluster), `log` and `startup.log`. */
  home: string;
  data: string;
  logs: string;
  binaries: Binaries;
  /** True when the cluster is outside the data folder. */
  moved: boolean;
  /** The account Postgres runs as; undefined: our own. */
  account?: Account;
}
