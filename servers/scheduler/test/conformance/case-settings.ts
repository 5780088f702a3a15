import { writeJson } from '@tamis/http';
import type { AgentConfig } from '../../src/agent/settings/agent-config.js';
import { buildConfig } from '../../src/agent/settings/build-config.js';
import { readSettings } from '../../src/agent/settings/read-settings.js';
import { settingsByPath } from '../../src/agent/settings/settings-table.js';
import type { Case } from './case-file.js';

const settingPaths = [...settingsByPath.keys()];

/**
 * What the settings of a case make of a configuration. They are those of the server, by their paths or, where that is
 * clear, by the last part of it; as blocks or with dots. Null is the default of the server.
 *
 * @throws ConfigError when the server would not start with them.
 */
export function applySettings(
  { id, config, env }: Pick<Case, 'id' | 'config' | 'env'>,
  base: AgentConfig,
): AgentConfig {
  const given = Object.entries(config).filter(([, value]) => value !== null);
  const text = writeJson(given.reduce((tree, [name, value]) => withPath(tree, pathOf(name), value), {}));
  // Absent is what the server does by itself, where the fixtures have a value of their own.
  const defaults = config['enable_debug'] === null ? { ...base, enableDebug: null } : base;
  const variables = Object.entries(env).filter(([name]) => name.startsWith('SCHEDULER_'));
  const environment = Object.fromEntries(variables.map(([name, value]) => [name, String(value)]));
  const { given: read } = readSettings({ files: [{ name: id, text }], environment, flags: new Map() });
  const { fill, files } = base;
  return { ...buildConfig(read, { devMode: false, files, defaults }), fill };
}

function pathOf(name: string): readonly string[] {
  if (name.includes('.') || settingPaths.some((path) => path === name || path.startsWith(`${name}.`))) {
    return name.split('.');
  }
  const expected = plainName(name);
  const found =
    settingPaths.find((path) => plainName(path) === expected) ??
    onlyOne(settingPaths.filter((path) => plainName(path.split('.').at(-1) ?? '') === expected));
  return (found ?? name).split('.');
}

/** Cases write `HTTPAPIResponseHeaders` and `acl_enabled` where the file has other capitals and dots. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[._]/g, '');
}

function onlyOne(paths: readonly string[]): string | undefined {
  return paths.length === 1 ? paths[0] : undefined;
}

type Tree = Readonly<Record<string, unknown>>;

function withPath(tree: Tree, [key = '', ...more]: readonly string[], value: unknown): Tree {
  const inner = tree[key];
  const isTree = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  if (more.length > 0) return { ...tree, [key]: withPath(isTree ? (inner as Tree) : {}, more, value) };
  return { ...tree, [key]: isTree && typeof value === 'object' ? { ...inner, ...value } : value };
}
