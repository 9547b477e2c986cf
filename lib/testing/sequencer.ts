import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long whatever their size; vitest knows durations only where it ran before, and otherwise begins with large files. */
const LONG =
  /\/(conformance|torture|bin)\/|\/(kill|readers|sync|backfill)\.int\.test\.ts$|\/(openapi\/(document|clients)|oauth\/clients\.int)\.test\.ts$/;

/** Begins with what takes long, so that no worker is left with it at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
