/** The suites of tests, by what they need: see suites.mjs. */
export const suites: readonly ['units', 'properties', 'system', 'etcd', 'package', 'console', 'playground'];
export type Suite = (typeof suites)[number];
export type TestSet = 'fast' | 'slow';
export interface TestFile {
  file: string;
  suite: Suite;
  hasProperties: boolean;
  isFast: boolean;
}
export const slowFiles: Partial<Record<Suite, Readonly<Record<string, number>>>>;
export function testFiles(root: string, set?: TestSet): TestFile[];
