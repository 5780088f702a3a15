import { writeFileSync } from 'node:fs';

/** A reporter of vitest that writes which test files failed, a JSON list of paths, into the file of FAILED_FILES. */
// oxlint-disable-next-line no-restricted-exports -- vitest loads the default export of a reporter's file
export default class FailedFiles {
  /**
   * @param {ReadonlyArray<{ moduleId: string, ok(): boolean }>} modules
   * @param {readonly unknown[]} unhandled errors of no test: nobody can say which file to run again
   * @param {'passed' | 'interrupted' | 'failed'} reason
   */
  onTestRunEnd(modules, unhandled, reason) {
    const path = process.env['FAILED_FILES'];
    if (path === undefined || unhandled.length > 0 || reason === 'interrupted') return;
    writeFileSync(path, JSON.stringify(modules.filter((each) => !each.ok()).map((each) => each.moduleId)));
  }
}
