import type { Binaries } from "./binaries.ts";
import type { OsUser } from "./os-user.ts";

/** Where the cluster of a data folder lives, and what runs it. */
export interface ClusterPlace {
  /** Contains `data` (the cluster), `log` and `startup.log`. */
  home: string;
  data: string;
  logs: string;
  binaries: Binaries;
  /** True when the cluster is outside the data folder. */
  moved: boolean;
  /** The user Postgres runs as; undefined: our own. */
  user?: OsUser;
}
