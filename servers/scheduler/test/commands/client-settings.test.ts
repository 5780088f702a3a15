import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readClientSettings } from '../../src/program/local/client-settings.js';
import { createGiven } from '@tamis/scheduler-command/given.js';
import { secretFiles } from '../../src/program/settings-files.js';

const home = mkdtempSync(join(tmpdir(), 'command-home-'));
const file = join(home, '.config', 'scheduler', 'command.hcl');
afterAll(() => rmSync(home, { recursive: true }));

const read = (flags: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) =>
  readClientSettings(createGiven(new Map(), flags), env, secretFiles);

describe('the agent that a command calls', () => {
  beforeEach(() => {
    mkdirSync(join(home, '.config', 'scheduler'), { recursive: true });
    writeFileSync(file, 'address = "http://file:1"\ntoken = "of-file"\nnamespace = "apps"\n');
    chmodSync(file, 0o600);
  });

  it('comes from a flag, else from the environment, else from the file of the user', async () => {
    expect(await read({}, {})).toEqual({
      address: 'http://127.0.0.1:4646',
      token: null,
      region: null,
      namespace: null,
    });
    expect(await read({}, { HOME: home })).toMatchObject({
      address: 'http://file:1',
      token: 'of-file',
      namespace: 'apps',
    });
    const env = {
      HOME: home,
      SCHEDULER_ADDR: 'http://env:1',
      SCHEDULER_TOKEN: 'of-env',
      SCHEDULER_REGION: 'west',
    };
    expect(await read({}, env)).toEqual({
      address: 'http://env:1',
      token: 'of-env',
      region: 'west',
      namespace: 'apps',
    });
    expect(await read({ address: 'https://flag:1', namespace: '*' }, env)).toMatchObject({
      address: 'https://flag:1',
      namespace: '*',
    });
  });

  it('takes the token from a file that others may not read', async () => {
    const path = join(home, 'token');
    writeFileSync(path, 'of-a-file\n', { mode: 0o600 });
    expect(await read({}, { SCHEDULER_TOKEN_FILE: path })).toMatchObject({ token: 'of-a-file' });
    chmodSync(path, 0o644);
    await expect(read({}, { SCHEDULER_TOKEN_FILE: path })).rejects.toThrow(
      'everybody may read it. Run chmod 600',
    );
  });

  it.each([0o640, 0o604, 0o660])('refuses a file of the mode %o, and reveals nothing of it', async (mode) => {
    chmodSync(file, mode);
    await expect(read({}, { HOME: home })).rejects.toThrow(
      `${file} may hold a token and has the mode ${mode.toString(8).padStart(4, '0')}. Run chmod 600 on it`,
    );
  });

  it('reports mistakes in the file with their positions, and not the token', async () => {
    writeFileSync(file, 'adress = "x"\ntoken = s3cret\n', { mode: 0o600 });
    const failure = await read({}, { HOME: home }).catch((error: unknown) => String(error));
    expect(failure).toMatch(/command\.hcl:2:9: expected a value/);
    writeFileSync(file, 'adress = "x"\n', { mode: 0o600 });
    await expect(read({}, { HOME: home })).rejects.toThrow(
      'command.hcl:1:1: adress: there is no such setting: did you mean address?',
    );
  });

  it('requires the file that the user named', async () => {
    await expect(read({}, { SCHEDULER_COMMAND_FILE: join(home, 'none') })).rejects.toThrow('cannot be read');
    await expect(read({ address: 'localhost' }, {})).rejects.toThrow('an address is a URL such as');
  });

  it.each(['http://me:s3cret@10.0.0.1:4646', 'ftp://me:s3cret@x', 'me:s3cret@x'])(
    'takes no password in an address and does not show it: %s',
    async (address) => {
      const failure = await read({ address }, {}).catch((error: unknown) => String(error));
      expect(failure).toMatch(/without a user or a password/);
      expect(failure).not.toContain('s3cret');
    },
  );

  it.each(['s3cret\nand more', 's3cret ', 's3cret\0', 's3crét'])(
    'takes no token that cannot be sent and does not show it: %j',
    async (token) => {
      const failure = await read({}, { SCHEDULER_TOKEN: token }).catch((error: unknown) => String(error));
      expect(failure).toMatch(/the token has a blank, a line break/);
      expect(failure).not.toContain('s3cr');
    },
  );
});
