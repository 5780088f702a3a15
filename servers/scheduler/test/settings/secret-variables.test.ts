import { ConfigError } from '@tamis/config';
import { describe, expect, it } from 'vitest';
import { readSecretVariables } from '../../src/agent/settings/secret-variables.js';

const contents: Readonly<Record<string, readonly [mode: number, text: string]>> = {
  '/run/key': [0o100400, 's3cret\n'],
  '/run/windows': [0o100640, 's3cret\r\n'],
  '/run/two-lines': [0o100600, 'one\ntwo\n'],
  '/run/open': [0o100644, 's3cret'],
  '/run/shared': [0o100660, 's3cret'],
  '/run/empty': [0o100600, '\n'],
  '/run/long': [0o100600, 'x'.repeat(65_537)],
};
const files = {
  async modeOf(path: string) {
    const found = contents[path];
    if (found === undefined) throw new Error(`ENOENT: no such file, stat '${path}'`);
    return found[0];
  },
  read: async (path: string) => Buffer.from(contents[path]?.[1] ?? ''),
};
const read = (environment: Record<string, string>) => readSecretVariables(environment, ['KEY'], files);

describe('a secret in a file', () => {
  it.each([
    ['/run/key', 's3cret'],
    ['/run/windows', 's3cret'],
    ['/run/two-lines', 'one\ntwo'],
  ])('%s takes the place of its variable', async (path, secret) => {
    expect(await read({ KEY_FILE: path, OTHER: 'x' })).toEqual({ KEY: secret, OTHER: 'x' });
  });

  it('is unset if the variable is empty or missing', async () => {
    expect(await read({ KEY_FILE: '', KEY: 'direct' })).toEqual({ KEY: 'direct' });
    expect(await read({ KEY: 'direct' })).toEqual({ KEY: 'direct' });
    expect(await read({ KEY: '', KEY_FILE: '/run/key' })).toEqual({ KEY: 's3cret' });
  });

  it.each<[environment: Record<string, string>, problem: string]>([
    [{ KEY_FILE: '/run/key', KEY: 'direct' }, 'KEY_FILE: KEY is set too: leave one of them out'],
    [{ KEY_FILE: '/run/none' }, 'KEY_FILE: /run/none cannot be read: ENOENT'],
    [
      { KEY_FILE: '/run/open' },
      'KEY_FILE: /run/open holds secrets and has the mode 0644: everybody may read it',
    ],
    [{ KEY_FILE: '/run/shared' }, 'has the mode 0660: others than its owner may write it'],
    [{ KEY_FILE: '/run/empty' }, 'KEY_FILE: /run/empty is empty'],
    [{ KEY_FILE: '/run/long' }, 'is longer than 65536 bytes'],
  ])('is refused: %j', async (environment, problem) => {
    const error = await read(environment).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).message).toContain(problem);
    expect((error as ConfigError).message).not.toContain('s3cret');
  });
});
