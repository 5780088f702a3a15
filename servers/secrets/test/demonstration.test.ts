import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../stress/build-server.js';
import { findTool } from '../../../test/support/tool.js';
import { startServerProcess, type ServerProcess } from '../stress/server-process.js';

const execute = promisify(execFile);
const curl = findTool('curl');

/** The documented form of the file: quoted keys, commas and no commas, `tls_disable` as a text. */
const configuration = (directory: string): string => `ui = true

storage "file" {
  path = "${directory}/data"
}

listener "tcp" {
  address     = "127.0.0.1:0"
  tls_disable = "true"

  custom_response_headers {
    "default" = {
      "Content-Security-Policy" = ["connect-src https://cluster.example/"],
      "X-Custom-Header" = ["Custom header default value"],
    },
    "200" = {
      "X-Custom-Header" = ["Custom header with 200 value"],
    },
    "3xx" = {
      "X-Custom-Header" = ["Custom header with 3xx value"],
    },
  }
}
`;

let built: BuiltServer;
let directory: string;
let server: ServerProcess;
beforeAll(async () => {
  [built, directory] = await Promise.all([buildServer(), mkdtemp(join(tmpdir(), 'secrets-demonstration-'))]);
  await writeFile(join(directory, 'server.hcl'), configuration(directory));
  server = startServerProcess(built.main, ['--config', join(directory, 'server.hcl')]);
});
afterAll(async () => {
  await server.kill();
  built.remove();
  await rm(directory, { recursive: true });
});

/** What an operator types, from a new server to its headers. */
const commands = `
secrets init > "$KEYS"
export SECRETS_UNSEAL_KEY=$(sed -n 's/^Unseal key: *//p' "$KEYS")
secrets unseal > "$KEYS.unsealed"
curl --silent --include --location "$SECRETS_ADDR/"
echo '== and a path that does not exist =='
curl --silent --include "$SECRETS_ADDR/nonsense"
`;

interface Seen {
  readonly status: string | undefined;
  readonly custom: readonly string[];
  readonly policy: readonly string[];
  readonly location: readonly string[];
}

function seen(response: string): Seen {
  const lines = (name: string): string[] =>
    [...response.matchAll(new RegExp(`^${name}: (.*)\\r$`, 'gim'))].map(([, value = '']) => value);
  return {
    status: /^HTTP\/1\.1 (\d+)/m.exec(response)?.[1],
    custom: lines('X-Custom-Header'),
    policy: lines('Content-Security-Policy'),
    location: lines('Location'),
  };
}

describe('the documented demonstration', () => {
  // It is for people with a shell: without curl there is nothing that it could be run with.
  it.skipIf(curl.isMissing)(`K01 shows the headers to an operator who types it${curl.why}`, async () => {
    const [address = ''] = (await server.listening) ?? [];
    const script = `secrets() { '${process.execPath}' '${built.main}' "$@"; }\n${commands}`;
    const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', script], {
      env: { PATH: process.env['PATH'], SECRETS_ADDR: address, KEYS: join(directory, 'keys') },
    });
    const policy = ['connect-src https://cluster.example/'];
    const responses = stdout.split(/^(?=HTTP\/1\.1 )/m);
    expect(responses.map(seen)).toEqual([
      { status: '307', custom: ['Custom header with 3xx value'], policy, location: ['/ui/'] },
      { status: '200', custom: ['Custom header with 200 value'], policy, location: [] },
      { status: '404', custom: ['Custom header default value'], policy, location: [] },
    ]);
    expect(responses[2]).toMatch(/\r\nContent-Type: application\/json\r\n[^]*\r\n\r\n\{"errors":\[\]\}\n$/);
  });
});
