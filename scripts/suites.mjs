import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceFolders } from './packages.mjs';

/**
 * The suites of tests, by what they need: `system` opens ports or starts processes, `package` needs the tarball of the engine,
 * `console` and `playground` a browser and the built pages. A property draws hundreds of cases. `units` need nothing.
 *
 * @typedef {(typeof suites)[number]} Suite
 * @typedef {'fast' | 'slow'} TestSet `fast` is what `npm test` runs, `slow` what `npm run test:all` runs
 */
export const suites = /** @type {const} */ ([
  'units',
  'properties',
  'system',
  'etcd',
  'package',
  'console',
  'playground',
]);

/** Suites that only `npm run test:all` runs: they need etcd, a browser, the packed tarball or an SQL server. */
const slowSuites = new Set(['etcd', 'package', 'console', 'playground']);

/**
 * The other files that only `npm run test:all` runs, by suite, with their processor seconds: measured on two cores where
 * `npm run build` takes 12.5 processor seconds. `npm run test:all` warns of a fast file that belongs here.
 *
 * @type {Partial<Record<Suite, Readonly<Record<string, number>>>>}
 */
export const slowFiles = {
  units: {
    'test/sql/corners.test.ts': 14,
    'test/sql/field-names.test.ts': 9,
    'test/sql/postgres-types.test.ts': 9,
    'test/fuzz/compile-costs.test.ts': 10,
    'test/fuzz/hostile.test.ts': 10,
    'test/sql/verify.test.ts': 9,
    'test/fuzz/fuzz.test.ts': 9,
    'test/conformance/conformance.test.ts': 7,
    'servers/scheduler-model/test/cron-times.test.ts': 8,
    'servers/scheduler-placement/test/stalls.test.ts': 7,
    'test/syntax/limits.test.ts': 6,
    'test/fuzz/results.test.ts': 6,
    'test/repl/completion.test.ts': 5,
    'test/memory/retained-sources.test.ts': 5,
    'test/sql/drivers.test.ts': 4,
    'servers/scheduler/test/profiles/profiles.test.ts': 4,
    'test/bench/competitors.test.ts': 3,
    'servers/scheduler/test/http/acl.test.ts': 3,
    'servers/scheduler/test/sample/sample-activity.test.ts': 12,
    'servers/scheduler/test/sample/sample-cluster.test.ts': 12,
  },
  properties: {
    'test/access/sql.test.ts': 18,
    'test/access/deny.test.ts': 16,
    'test/editor/properties.test.ts': 28,
    'test/convert/odata.test.ts': 12,
    'test/convert/query-builder.test.ts': 8,
    'test/sql/lists.test.ts': 12,
    'test/sql/sorts.test.ts': 18,
    'test/laws/sorts.test.ts': 9,
    'servers/secrets/test/audit/anonymous.test.ts': 11,
    'test/sql/exactness.test.ts': 11,
    'test/sql/clickhouse.test.ts': 20,
    'test/sql/mysql-access.test.ts': 8,
    'test/property/compiled-equals-interpreter.test.ts': 11,
    'test/laws/columns.test.ts': 10,
    'test/explain/explain.test.ts': 9,
    'test/explain/hidden.test.ts': 8,
    'servers/scheduler/test/http/result-watches.test.ts': 8,
    'test/property/laws.test.ts': 8,
    'test/property/prepared-filters.test.ts': 20,
    'test/property/list-search.test.ts': 7,
    'servers/scheduler/test/http/openapi/fuzz.test.ts': 6,
    'test/columns/versions.test.ts': 6,
    'servers/scheduler/test/http/registering.test.ts': 6,
    'test/lint/claims.test.ts': 6,
    'test/filter-set/set-equals-filters.test.ts': 6,
    'servers/scheduler-node/test/open-inside.test.ts': 5,
    // Its rare events need more than a fifth of the runs.
    'test/property/plan-equals-scan.test.ts': 3,
  },
  system: {
    'servers/scheduler/test/agent/restart.test.ts': 26,
    'servers/http/test/lock-stress.test.ts': 23,
    'test/types/types.test.ts': 30,
    'test/sql/drizzle.test.ts': 12,
    'test/sql/faults.test.ts': 11,
    'test/sql/map-table.test.ts': 12,
    'test/sql/mysql.test.ts': 16,
    'test/package/setup.test.ts': 16,
    'servers/secrets/test/stress/stress.test.ts': 15,
    'servers/secrets/test/audit/no-plain-text.test.ts': 8,
    'servers/scheduler/test/stress/crash.test.ts': 14,
    'conformance/test/run.test.ts': 13,
    'servers/scheduler/test/conformance/command.test.ts': 10,
    'editor/typescript/test/plugin.test.ts': 9,
    'servers/scheduler/test/stress/scan.test.ts': 8,
    'test/bench/names.test.ts': 8,
    'servers/scheduler/test/main.test.ts': 8,
    'test/readme.test.ts': 10,
    'test/option-tables.test.ts': 6,
    'servers/scheduler/test/rpc/rpc.test.ts': 6,
    'servers/scheduler/test/stress/columns.test.ts': 6,
    'servers/secrets/test/main-signals.test.ts': 5,
    'editor/typescript/test/eslint.test.ts': 4,
    'servers/secrets/test/operating-document.test.ts': 4,
    'servers/scheduler/test/http/sockets.test.ts': 4,
    'servers/scheduler/test/real-clients.test.ts': 4,
    'servers/scheduler/test/stress/logs.test.ts': 4,
    'servers/scheduler/test/http/files/logs.test.ts': 4,
  },
};

const marks = {
  property: /\bfc\.(assert|check)\(/,
  browser: /'playwright-core'|\binject\('(consoleFolder|site)'\)/,
  etcd: /etcd-cluster\.js'/,
  system: /from '(node:(net|http|https|child_process|tls)|typescript)'|\.listen\(/,
};

/**
 * @typedef {{ file: string, suite: Suite, hasProperties: boolean, isFast: boolean }} TestFile `file` is a path from the root;
 *   `isFast`: `npm test` runs it
 */

/**
 * The test files of the engine and the workspaces, each with its suite, in order.
 *
 * @param {string} root
 * @param {TestSet} [set] only the files of this set: each file is in one
 * @returns {TestFile[]}
 */
export function testFiles(root, set) {
  const files = ['.', ...workspaceFolders(root)]
    .map((folder) => join(folder, 'test'))
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.test\.tsx?$/.test(name))
        .sort()
        .map((name) => join(folder, name)),
    )
    .map((file) => {
      const hasProperties = marks.property.test(readFileSync(join(root, file), 'utf8'));
      const suite = suiteOf(root, file, hasProperties);
      const isFast = !slowSuites.has(suite) && slowFiles[suite]?.[file] === undefined;
      return { file, suite, hasProperties, isFast };
    });
  if (set === undefined) return files;
  return files.filter(({ isFast }) => isFast === (set === 'fast'));
}

/**
 * @param {string} root
 * @param {string} file
 * @param {boolean} hasProperties
 * @returns {Suite}
 */
function suiteOf(root, file, hasProperties) {
  const texts = [...withHelpers(join(root, file))].map((each) => readFileSync(each, 'utf8'));
  /** @param {RegExp} mark */
  const has = (mark) => texts.some((text) => mark.test(text));
  if (file.includes('/package/packed/')) return 'package';
  if (has(marks.browser)) return file.startsWith('playground') ? 'playground' : 'console';
  if (has(marks.etcd)) return 'etcd';
  if (hasProperties) return 'properties';
  return has(marks.system) ? 'system' : 'units';
}

/**
 * The file, and what it imports of tests and proofs; not the sources that they try.
 *
 * @param {string} file
 * @param {Set<string>} found
 */
function withHelpers(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)\.jsx?'/g)) {
    const helper = [`${path}.ts`, `${path}.tsx`].map((each) => join(dirname(file), each)).find(existsSync);
    if (helper !== undefined && !/\/src\//.test(helper)) withHelpers(helper, found);
  }
  return found;
}
