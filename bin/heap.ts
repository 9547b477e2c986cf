/**
 * Keeps the memory of a busy process close to what it uses: the old generation is collected when it has grown by a share of what the
 * last collection left, where V8 would wait until it is up to four times as large. With 80 % a dry run of 975,000 rows needs half as
 * much memory and no more time (bench/imports/RESULTS.md). Where there is little memory it is 25 %, for which the
 * processor collects more often. Not an option of a Node that is already there, so it is set here.
 */
import os from "node:os";
import { setFlagsFromString } from "node:v8";

/** Of a machine, or of a limit that is set for the process, in bytes. */
const LITTLE = 1.5 * 2 ** 30;

const memory = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
setFlagsFromString(`--heap-growing-percent=${memory <= LITTLE ? 25 : 80}`);
