import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  folderCycles,
  readSources,
  violations,
  type FolderException,
  type Layout,
} from '../../../test/package/layers.js';
import { forbiddenImports, workspaceImports } from '../../../test/package/workspaces.js';

interface Workspace {
  /** Other workspaces that it may import. */
  readonly imports: readonly string[];
  /** Unset for the console, whose folders have no layers yet. */
  readonly layers?: Layout['layers'];
  readonly exceptions?: readonly FolderException[];
}

const workspaces: Readonly<Record<string, Workspace>> = {
  scheduler: {
    imports: [
      ...['scheduler-command', 'scheduler-node', 'scheduler-placement', 'scheduler-state', 'scheduler-model'],
      ...['config', 'etcd', 'http'],
    ],
    layers: [
      ['main.ts'],
      ['program/'],
      ['agent/'],
      ['rpc/'],
      ['api/routes.ts', 'api/server.ts', 'api/client-server.ts'],
      ['api/document/', 'api/pages/'],
      ['api/agent/', 'api/resources/'],
      ['api/lists/'],
      ['api/kernel/'],
      ['services/'],
    ],
  },
  'scheduler-command': {
    imports: ['scheduler-model', 'config', 'http'],
    layers: [
      ['overview/'],
      ['acl/', 'agent/', 'alloc/', 'deployment/', 'eval/', 'job/', 'namespace/', 'node/'],
      ['views/'],
      ['*'],
      ['api/', 'job-file/', 'terminal/'],
    ],
  },
  'scheduler-node': { imports: ['scheduler-model', 'http'], layers: [['*']] },
  'scheduler-placement': {
    imports: ['scheduler-state', 'scheduler-model', 'http'],
    layers: [['workers/'], ['placement/']],
  },
  'scheduler-state': {
    imports: ['scheduler-model', 'config', 'etcd', 'http'],
    layers: [['drivers/'], ['cluster/', 'progress/'], ['state/'], ['storage/etcd/'], ['storage/']],
  },
  'scheduler-model': {
    imports: ['config', 'http'],
    layers: [['host/', 'wire/'], ['*', 'job-rules/'], ['base/']],
    exceptions: [
      {
        from: '.',
        to: 'job-rules',
        reason: 'job-validation.ts applies the rules of job-rules/, which read the types of jobs and groups',
      },
    ],
  },
  console: { imports: ['scheduler-model', 'scheduler-command', 'filter-box'] },
};

const servers = new URL('../../', import.meta.url);
const sourcesOf = (name: string): ReadonlyMap<string, string> =>
  readSources(new URL(`${name}/src/`, servers));
const all = new Map(
  Object.keys(workspaces).flatMap((name) =>
    [...sourcesOf(name)].map(([path, text]) => [`${name}/src/${path}`, text]),
  ),
);
const allowed = Object.fromEntries(Object.entries(workspaces).map(([name, { imports }]) => [name, imports]));

const imports = workspaceImports(all);

describe.each(Object.entries(workspaces))('%s', (name, { layers, exceptions }) => {
  it('declares the workspaces that it imports', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(new URL(`${name}/package.json`, servers), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string> | undefined>;
    const declared = Object.keys({ ...dependencies, ...devDependencies });
    const imported = imports.flatMap(({ from, to }) => (from === name ? [`@tamis/${to}`] : []));
    expect(declared).toEqual(expect.arrayContaining([...new Set(imported)]));
  });

  if (layers === undefined) return;

  it('keeps its layers and has no cycles of files or folders', () => {
    const sources = sourcesOf(name);
    expect(sources.size).toBeGreaterThan(40);
    expect(violations(sources, { layers })).toEqual([]);
    expect(folderCycles(sources, exceptions)).toEqual([]);
  });
});

describe('imports between the workspaces', () => {
  it('go to listed workspaces only', () => {
    expect(imports.length).toBeGreaterThan(900);
    expect(forbiddenImports(imports, allowed)).toEqual([]);
  });

  it.each([
    [
      "import { openStore } from '@tamis/scheduler-state/state/store.js';",
      '@tamis/scheduler-state/state/store.js',
    ],
    [
      "import type { Store } from '../../scheduler-state/src/state/store.js';",
      '../../scheduler-state/src/state/store.js',
    ],
    ["void import('@tamis/scheduler-state/state/store.js');", '@tamis/scheduler-state/state/store.js'],
  ])('reports the file and the import of %s', (text, specifier) => {
    const found = workspaceImports(new Map([['scheduler-node/src/driver.ts', text]]));
    expect(forbiddenImports(found, allowed)).toEqual([
      `scheduler-node/src/driver.ts:1: ${specifier}: scheduler-node must not import scheduler-state`,
    ]);
  });

  it('may go to a lower workspace, the engine and other packages', () => {
    const text =
      "import '@tamis/scheduler-model/job.js'; import 'tamis/table'; import './task.js'; import 'pino';";
    const found = workspaceImports(new Map([['scheduler-node/src/driver.ts', text]]));
    expect(forbiddenImports(found, allowed)).toEqual([]);
  });
});
