import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteOfExtra, requireExtra, whyExtraMissing } from '../../../test/support/extra.js';
import { rootToken, startServer, type TestServer } from './support/secrets-server.js';

/** The client libraries `node-vault` and `hashi-vault-js` themselves, each call of which is in a table here. */

const folder = 'extra/secrets-clients';
type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Client = Readonly<Record<string, Call>>;

let server: TestServer;
let spare: Readonly<Record<string, string>> = {};

async function newToken(): Promise<void> {
  const { body } = await server.call('POST', 'auth/token/create', { body: { policies: ['default'] } });
  spare = body.auth as Readonly<Record<string, string>>;
}

/** The status of a failed call, and the first error of its body; 200 for one that succeeded. */
async function outcomeOf(call: Promise<unknown>): Promise<readonly [status: number, error: string]> {
  try {
    await call;
    return [200, ''];
  } catch (error) {
    const { response } = error as {
      readonly response?: {
        readonly statusCode?: number;
        readonly status?: number;
        readonly body?: { readonly errors?: readonly string[] };
        readonly data?: { readonly errors?: readonly string[] };
      };
    };
    if (response === undefined) throw error;
    const status = response.statusCode ?? response.status ?? 0;
    return [status, (response.body ?? response.data)?.errors?.[0] ?? ''];
  }
}

interface Command {
  readonly path: string;
  readonly schema?: { readonly req?: Schema };
}

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

/** A value for each argument that the schema of a call requires. */
function requiredOf(command: Command | undefined): Readonly<Record<string, unknown>> {
  const { required = [], properties = {} } = command?.schema?.req ?? {};
  const values: Readonly<Record<string, unknown>> = { array: [1], object: {}, integer: 1, boolean: true };
  return Object.fromEntries(required.map((name) => [name, values[properties[name]?.type ?? ''] ?? 'some']));
}

type Arguments = (() => readonly unknown[]) | readonly unknown[];
const argumentsOf = (given: Arguments): readonly unknown[] => (typeof given === 'function' ? given() : given);

describe.skipIf(whyExtraMissing(folder) !== null)(
  `node-vault${noteOfExtra(folder)}`,
  { shuffle: false },
  () => {
    let client: Client;
    let commands: Readonly<Record<string, Command>>;
    beforeAll(async () => {
      server = await startServer();
      const create = requireExtra(folder, 'node-vault') as (options: object) => Client;
      commands = requireExtra(folder, 'node-vault/src/commands.js') as typeof commands;
      client = create({ endpoint: server.addresses[0], token: rootToken, namespace: 'root' });
    });
    afterAll(() => server.close());

    // The library goes on with each token that it has made.
    beforeEach(() => void Object.assign(client, { token: rootToken }));

    /** Calls that reach a route of ours. */
    const served: Readonly<Record<string, Arguments>> = {
      status: [],
      initialized: [],
      health: [],
      leader: [],
      mounts: [],
      auths: [],
      audits: [],
      policies: [],
      addPolicy: [{ name: 'some', rules: 'path "a" { policy = "read" }' }],
      getPolicy: [{ name: 'some' }],
      removePolicy: [{ name: 'some' }],
      tokenCreate: [{ policies: ['default'], ttl: '1h' }],
      tokenCreateOrphan: [{ policies: ['default'] }],
      tokenLookup: () => [{ token: spare['client_token'] }],
      tokenLookupAccessor: () => [{ accessor: spare['accessor'] }],
      tokenLookupSelf: [],
      tokenRenew: () => [{ token: spare['client_token'], increment: '30m' }],
      tokenAccessors: [],
      tokenRevoke: () => [{ token: spare['client_token'] }],
      tokenRevokeAccessor: () => [{ accessor: spare['accessor'] }],
      revokePrefix: [{ path_prefix: 'auth/cloud' }],
      rotate: [],
      generateRootInit: [{}],
      generateRootCancel: [],
    };
    it.each(Object.entries(served))('%s succeeds', async (name, given) => {
      await newToken();
      expect(await outcomeOf(client[name]!(...argumentsOf(given)))).toEqual([200, '']);
    });

    it('succeeds in renewing and revoking its own token', async () => {
      await newToken();
      const create = requireExtra(folder, 'node-vault') as (options: object) => Client;
      const own = create({ endpoint: server.addresses[0], token: spare['client_token'] });
      expect(await outcomeOf(own['tokenRenewSelf']!({ increment: '30m' }))).toEqual([200, '']);
      expect(await outcomeOf(own['tokenRevokeSelf']!())).toEqual([200, '']);
    });

    /** Calls that the configuration file does the work of, or that are refused in this state of the server. */
    const refused: Readonly<Record<string, Arguments>> = {
      init: [{ secret_shares: 1, secret_threshold: 1 }],
      unseal: [{ key: '00' }],
      generateRootUpdate: [{ nonce: 'x', key: '00' }],
      mount: [{ mount_point: 'kv', type: 'kv' }],
      unmount: [{ mount_point: 'kv' }],
      remount: [{ from: 'a', to: 'b' }],
      enableAuth: [{ mount_point: 'github', type: 'github' }],
      disableAuth: [{ mount_point: 'cloud' }],
      enableAudit: [{ name: 'file', type: 'file' }],
      disableAudit: [{ name: 'file' }],
      stepDown: [{}],
    };
    it.each(Object.entries(refused))('%s is 400 with a reason', async (name, given) => {
      const [status, error] = await outcomeOf(client[name]!(...argumentsOf(given)));
      expect([status, error === '']).toEqual([400, false]);
    });

    it('gets 404 with a sentence for all its other calls', async () => {
      const known = new Set([...Object.keys(served), ...Object.keys(refused)]);
      for (const name of ['tokenRenewSelf', 'tokenRevokeSelf', 'seal']) known.add(name);
      // The library fails before it sends these: their schema has no properties.
      const broken = Object.keys(commands).filter((name) => {
        const schema = commands[name]?.schema?.req;
        return schema !== undefined && schema.properties === undefined;
      });
      const others = Object.keys(commands).filter((name) => !known.has(name) && !broken.includes(name));
      expect(others.length).toBeGreaterThan(30);
      for (const name of others) {
        const { path } = commands[name]!;
        const names = [...path.matchAll(/\{\{\^?\s*(\w+)\s*\}\}/g)].map(
          ([, each = '']) => [each, 'some'] as const,
        );
        // A method that is mounted nowhere, and what the library requires of each call.
        const given = { ...requiredOf(commands[name]), ...Object.fromEntries(names), mount_point: 'none' };
        const [status, error] = await outcomeOf(client[name]!(given));
        expect([name, status, error]).toEqual([
          name,
          404,
          expect.stringMatching(/^(?:there is nothing at this path|unsupported path)$/),
        ]);
      }
    });

    it('seals', async () => {
      expect(await outcomeOf(client['seal']!())).toEqual([200, '']);
      expect(server.server.isSealed()).toBe(true);
    });
  },
);

describe.skipIf(whyExtraMissing(folder) !== null)(`hashi-vault-js${noteOfExtra(folder)}`, () => {
  let client: Client;
  beforeAll(async () => {
    server = await startServer();
    const { resolve } = createRequire(new URL(`../../../${folder}/package.json`, import.meta.url));
    const { default: Vault } = (await import(pathToFileURL(resolve('hashi-vault-js')).href)) as {
      readonly default: new (options: object) => Client;
    };
    client = new Vault({
      baseUrl: `${server.addresses[0]}/v1`,
      rootPath: 'secret',
      timeout: 5_000,
      proxy: false,
    });
  });
  afterAll(() => server.close());

  const served: Readonly<Record<string, Arguments>> = {
    healthCheck: [{}],
    sealStatus: [],
    sysCapabilities: () => [rootToken, spare['client_token'], ['auth/token/lookup-self']],
    sysCapabilitiesSelf: [rootToken, ['sys/health']],
    sysMetrics: [rootToken, 'prometheus'],
    createToken: [rootToken, { policies: ['default'], ttl: '1h' }],
    listAccessors: [rootToken],
    lookupAccessor: () => [rootToken, spare['accessor']],
    lookupToken: () => [rootToken, spare['client_token']],
    lookupSelfToken: () => [spare['client_token']],
    renewToken: () => [rootToken, spare['client_token'], '30m'],
    renewSelfToken: () => [spare['client_token'], '30m'],
    renewAccessor: () => [rootToken, spare['accessor'], '30m'],
    revokeAccessor: () => [rootToken, spare['accessor']],
    revokeToken: () => [rootToken, spare['client_token']],
    revokeSelfToken: () => [spare['client_token']],
  };
  it.each(Object.entries(served))('%s succeeds', async (name, given) => {
    await newToken();
    expect(await outcomeOf(client[name]!(...argumentsOf(given)))).toEqual([200, '']);
  });

  const absent: Readonly<Record<string, Arguments>> = {
    sysHostInfo: [rootToken],
    sysInternalCounters: [rootToken, 'requests'],
    loginWithUserpass: ['name', 'password'],
    loginWithAppRole: ['role', 'secret'],
    readKVSecret: [rootToken, 'name'],
    listKVSecrets: [rootToken, 'folder'],
  };
  it.each(Object.entries(absent))('%s is 404 with a sentence', async (name, given) => {
    const [status, error] = await outcomeOf(client[name]!(...argumentsOf(given)));
    expect([status, error]).toEqual([
      404,
      expect.stringMatching(/^(?:there is nothing at this path|unsupported path)$/),
    ]);
  });
});

describe('routes that clients of other servers call', () => {
  let own: TestServer;
  beforeAll(async () => {
    own = await startServer();
  });
  afterAll(() => own.close());

  it('renew a token by its accessor, and never name its id', async () => {
    const { body } = await own.call('POST', 'auth/token/create', {
      body: { policies: ['default'], ttl: 60 },
    });
    const accessor = body.auth?.accessor;
    const renewed = await own.call('POST', 'auth/token/renew-accessor', {
      body: { accessor, increment: 600 },
    });
    expect(renewed.body.auth).toMatchObject({ accessor, client_token: '', lease_duration: 600 });
    const wrong = await own.call('POST', 'auth/token/renew-accessor', { body: { accessor: 'none' } });
    expect([wrong.status, wrong.body.errors]).toEqual([403, ['bad token']]);
  });

  it('report the capabilities of another token', async () => {
    const { body } = await own.call('POST', 'auth/token/create', { body: { policies: ['default'] } });
    const paths = ['auth/token/lookup-self', 'sys/seal'];
    for (const [path, field, value] of [
      ['sys/capabilities', 'token', body.auth?.client_token],
      ['sys/capabilities-accessor', 'accessor', body.auth?.accessor],
    ] as const) {
      const pending = await own.call('POST', path, { body: { [field]: value, paths } });
      expect(pending.body.data).toEqual({
        'auth/token/lookup-self': ['read', 'update'],
        'sys/seal': ['deny'],
      });
      expect((await own.call('POST', path, { body: { [field]: 'none', paths } })).status).toBe(400);
      expect((await own.call('POST', path, { body: { paths } })).status).toBe(400);
    }
  });

  it('read the lease times of a mount, and refuse to change them', async () => {
    for (const mount of ['cloud', 'token']) {
      const read = await own.call('GET', `sys/auth/${mount}/tune`);
      expect(read.body.data).toMatchObject({ default_lease_ttl: 2_764_800, max_lease_ttl: 2_764_800 });
    }
    expect((await own.call('GET', 'sys/auth/none/tune')).status).toBe(404);
    const write = await own.call('POST', 'sys/auth/cloud/tune', { body: { max_lease_ttl: '1h' } });
    expect([write.status, write.body.errors]).toEqual([400, [expect.stringContaining('configuration file')]]);
  });

  it('revoke by a prefix that comes in the body, too, unless it is another one', async () => {
    const path = 'sys/revoke-prefix/auth/cloud';
    for (const name of ['prefix', 'path_prefix']) {
      expect((await own.call('PUT', path, { body: { [name]: 'auth/cloud' } })).status).toBe(204);
      expect((await own.call('PUT', path, { body: { [name]: 'auth/token' } })).status).toBe(400);
    }
  });
});
