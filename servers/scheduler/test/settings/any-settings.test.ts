import { ConfigError } from '@tamis/config';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildConfig } from '../../src/agent/settings/build-config.js';
import { readSettings, type Flags, type SettingsSources } from '../../src/agent/settings/read-settings.js';
import { variableOf } from '../../src/agent/settings/variable.js';
import { settingsByPath } from '../../src/agent/settings/settings-table.js';
import { scaled } from '../../../../test/support/property-runs.js';

const path = fc.constantFrom(...settingsByPath.keys());
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '5s',
    'true',
    'a=b',
    '{"a":1}',
    '{',
    'a,b',
    '127.0.0.1',
    '__proto__=x',
    'http://a',
  ),
);
const value = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom({ a: { address: 'x' } }, [{ a: 'b' }, { c: 'd' }], { __proto__: null, constructor: 1 }),
);

/** The value inside the blocks of its path. */
function nest(parts: readonly string[], inner: unknown): unknown {
  return parts.reduceRight<unknown>((content, key) => ({ [key]: content }), inner);
}

function start({ files, environment, flags }: SettingsSources): 'started' | 'refused' {
  try {
    const { given } = readSettings({ files, environment, flags });
    buildConfig(given, { devMode: false, files: [] });
    return 'started';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).mistakes.length).toBeGreaterThan(0);
    return 'refused';
  }
}

it('starts the agent or reports the mistakes for any sources', () => {
  const outcomes = { started: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.tuple(path, value), { maxLength: 3 }),
      fc.array(fc.tuple(path, text), { maxLength: 2 }),
      fc.array(fc.tuple(path, fc.oneof(fc.boolean(), fc.array(text, { maxLength: 2 }))), { maxLength: 2 }),
      (inFiles, inVariables, inFlags) => {
        const files = inFiles.map(([at, content]) => ({
          name: 'a.json',
          text: JSON.stringify(nest(at.split('.'), content)),
        }));
        const environment = Object.fromEntries(inVariables.map(([at, given]) => [variableOf(at), given]));
        const flags: Flags = new Map<string, readonly string[] | boolean>(inFlags);
        outcomes[start({ files, environment, flags })] += 1;
      },
    ),
    { numRuns: 500 },
  );
  expect(Math.min(outcomes.started, outcomes.refused)).toBeGreaterThan(scaled(10));
});
