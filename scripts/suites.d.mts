/** The suites of tests, by what they need: see suites.mjs. */
export const suites: readonly ['units', 'properties', 'system', 'etcd', 'package', 'console', 'playground'];
export type Suite = (typeof suites)[number];
export function testFiles(root: string): { file: string; suite: Suite; holdsProperty: boolean }[];
