/** A quarter of the operations, each sent what no schema asks for. */
import { attackShare } from "./attack-share.ts";

attackShare(2);
