import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { code, createCloudFixture, refusal, type CloudFixture } from '../../support/cloud-fixture.js';
import { capabilityOf } from '../../support/method-caller.js';
import { principal } from '../../support/fake-resources.js';

let fixture: CloudFixture;

beforeEach(async () => {
  fixture = await createCloudFixture();
});
afterEach(() => fixture.close());

const bound = { bound_service_principal_ids: [principal] };
const write = (name: string, body: Readonly<Record<string, unknown>>): Promise<unknown> =>
  fixture.call('write', `role/${name}`, body);
const list = (): Promise<unknown> => fixture.call('list', 'role/');

describe('roles', () => {
  it.each([[{ token_policies: ['a'] }], [{}], [{ bound_locations: [] }], [{ bound_locations: '' }]])(
    'R02 needs something that binds: %j',
    async (body) => {
      expect(await code(write('x', body))).toBe('bad-request');
      expect(await code(fixture.read('role/x'))).toBe('not-found');
    },
  );

  it('R03 R04 lists names in order', async () => {
    await write('prod', bound);
    await write('dev', bound);
    expect(await list()).toEqual({ kind: 'keys', keys: ['dev', 'prod'] });
    expect(await fixture.call('list', 'role')).toEqual({ kind: 'keys', keys: ['dev', 'prod'] });
  });

  it('R05 lists nothing where there is nothing', async () => {
    expect(await list()).toEqual({ kind: 'keys', keys: [] });
  });

  it('R06 can be deleted twice and is gone then', async () => {
    await write('dev', bound);
    expect(await fixture.call('delete', 'role/dev')).toBeUndefined();
    expect(await fixture.call('delete', 'role/dev')).toBeUndefined();
    expect(await refusal(fixture.read('role/dev'))).toMatchObject({ code: 'not-found', message: '' });
  });

  it('R07 folds the case of names', async () => {
    await write('DevRole', bound);
    expect(await fixture.read('role/devrole')).toMatchObject(bound);
    expect(await list()).toMatchObject({ keys: ['devrole'] });
  });

  it.each([
    'token_ttl',
    'token_max_ttl',
    'token_num_uses',
    'token_period',
    'token_explicit_max_ttl',
    'max_jwt_exp',
  ])('R09 refuses a negative %s', async (field) => {
    const { code: status, message } = await refusal(write('dev', { ...bound, [field]: -5 }));
    expect(status).toBe('bad-request');
    expect(message).toContain(field);
  });

  it('names the fields that it does not know where it refuses a role, but nothing that may be a secret', async () => {
    const { message } = await refusal(write('dev', { bound_subscription_id: ['x'], 's.ecret': '' }));
    expect(message).toBe(
      'a role needs at least one entry in one of its bound_* fields; these fields are not known and were ignored: bound_subscription_id',
    );
  });

  it.each([3600, '3600', '1h', '60m'])('R12 reads token_ttl %j as an hour', async (value) => {
    await write('dev', { ...bound, token_ttl: value });
    expect(await fixture.read('role/dev')).toMatchObject({ token_ttl: 3600 });
  });

  it('R13 splits text at commas', async () => {
    await write('dev', { ...bound, token_policies: 'a, b', bound_locations: 'eastus,westus' });
    expect(await fixture.read('role/dev')).toMatchObject({
      token_policies: ['a', 'b'],
      bound_locations: ['eastus', 'westus'],
    });
  });

  it('R16 keeps max_jwt_exp', async () => {
    await write('dev', { ...bound, max_jwt_exp: 10_000 });
    expect(await fixture.read('role/dev')).toMatchObject({ max_jwt_exp: 10_000 });
  });

  it('R17 keeps what a write leaves out', async () => {
    await write('dev', { ...bound, bound_locations: ['eastus'] });
    await write('dev', { token_ttl: 60 });
    expect(await fixture.read('role/dev')).toMatchObject({
      ...bound,
      bound_locations: ['eastus'],
      token_ttl: 60,
    });
  });

  it.each([[[]], [''], [null], [['']]])('R18 keeps its last constraint against %j', async (empty) => {
    await write('dev', { bound_locations: ['eastus'] });
    expect(await code(write('dev', { bound_locations: empty }))).toBe('bad-request');
    expect(await fixture.read('role/dev')).toMatchObject({ bound_locations: ['eastus'] });
  });

  it.each(['300.1.1.1/8', '10.0.0.0/33', 'host:80', '/run/socket', 'example.com'])(
    'R19 rejects the block %s, which no address could match',
    async (block) => {
      const { code: status, message } = await refusal(write('dev', { ...bound, token_bound_cidrs: [block] }));
      expect(status).toBe('bad-request');
      expect(message).toContain('token_bound_cidrs');
      expect(message).not.toContain(block);
    },
  );

  it('R22 reads back with every list and number', async () => {
    await write('dev', bound);
    expect(await fixture.read('role/dev')).toEqual({
      bound_service_principal_ids: [principal],
      bound_group_ids: [],
      bound_locations: [],
      bound_subscription_ids: [],
      bound_resource_groups: [],
      bound_scale_sets: [],
      token_bound_cidrs: [],
      token_explicit_max_ttl: 0,
      token_max_ttl: 0,
      token_no_default_policy: false,
      token_num_uses: 0,
      token_period: 0,
      token_policies: [],
      token_ttl: 0,
      token_type: 'default',
      max_jwt_exp: 0,
    });
  });

  it('logs unknown fields, and reports them if the response has warnings anyway', async () => {
    const unknown = 'these fields are not known and were ignored: max_jwt_ttl, token_bound_cidr';
    const slips = { token_bound_cidr: ['10.0.0.0/8'], max_jwt_ttl: 60 };
    expect(await write('Dev', { ...bound, name: 'dev', ...slips })).toBeUndefined();
    expect(fixture.log.map((line) => JSON.parse(line) as unknown)).toEqual([
      { request_id: 'request', path: 'auth/cloud/role/Dev', message: unknown },
    ]);
    expect(await write('dev', { token_max_ttl: '769h', ...slips })).toEqual({
      kind: 'warnings',
      warnings: [expect.stringContaining('token_max_ttl'), unknown],
    });
  });

  it.each([
    ['token_type', { token_type: 'default-service' }],
    ['token_type', { token_type: 'default-batch' }],
    ['token_type', { token_type: 'Batch' }],
    ['token_period', { token_type: 'batch', token_period: 60 }],
    ['token_num_uses', { token_type: 'batch', token_num_uses: 1 }],
    ['token_num_uses', { token_type: 'batch', num_uses: 1 }],
    ['token_max_ttl', { token_ttl: 61, token_max_ttl: 60 }],
    ['token_max_ttl', { ttl: 61, max_ttl: 60 }],
    ['token_period', { token_period: 2_764_801 }],
    ['token_no_default_policy', { token_no_default_policy: 'maybe' }],
  ])('refuses a wrong %s: %j', async (field, body) => {
    const { code: status, message } = await refusal(write('dev', { ...bound, ...body }));
    expect(status).toBe('bad-request');
    expect(message).toContain(field);
    expect(await code(fixture.read('role/dev'))).toBe('not-found');
  });

  it('checks a write together with what is stored', async () => {
    await write('dev', { ...bound, token_max_ttl: 60 });
    expect(await code(write('dev', { token_ttl: 61 }))).toBe('bad-request');
    await write('dev', { token_ttl: 61, token_max_ttl: 0 });
    expect(await fixture.read('role/dev')).toMatchObject({ token_ttl: 61, token_max_ttl: 0 });
  });

  it('warns of a lifetime that the server cuts', async () => {
    const response = await write('dev', { ...bound, token_max_ttl: 2_764_801 });
    expect(response).toMatchObject({
      kind: 'warnings',
      warnings: [expect.stringContaining('token_max_ttl')],
    });
    expect(await fixture.read('role/dev')).toMatchObject({ token_max_ttl: 2_764_801 });
  });

  it('echoes an old name until the new one is used', async () => {
    await write('dev', { ...bound, max_ttl: '2h', policies: 'Dev,dev,B' });
    expect(await fixture.read('role/dev')).toMatchObject({
      max_ttl: 7_200,
      token_max_ttl: 7_200,
      policies: ['dev', 'b'],
      token_policies: ['dev', 'b'],
    });
    await write('dev', { token_max_ttl: 60 });
    const data = await fixture.read('role/dev');
    expect(data).toMatchObject({ token_max_ttl: 60, policies: ['dev', 'b'] });
    expect(data).not.toHaveProperty('max_ttl');
    await write('dev', { token_max_ttl: 90, max_ttl: 30 });
    expect(await fixture.read('role/dev')).toMatchObject({ token_max_ttl: 90, max_ttl: 90 });
  });

  it.each([{ policies: ['a', 'Root'] }, { token_policies: 'root' }, { token_policies: ['b', ' ROOT'] }])(
    'takes no policy root, which no login could be given: %j',
    async (fields) => {
      await write('dev', { ...bound, token_policies: ['a'] });
      expect(await refusal(write('dev', fields))).toMatchObject({
        code: 'bad-request',
        message: expect.stringContaining('token_policies'),
      });
      expect(await fixture.read('role/dev')).toMatchObject({ token_policies: ['a'] });
    },
  );

  it('writes single addresses without a mask', async () => {
    await write('dev', { ...bound, token_bound_cidrs: '10.0.0.1/32, ::1/128, 10.0.0.0/8' });
    expect(await fixture.read('role/dev')).toMatchObject({
      token_bound_cidrs: ['10.0.0.1', '::1', '10.0.0.0/8'],
    });
  });

  it.each([
    [{ bound_service_principal_ids: '*' }],
    [{ bound_group_ids: ['*'] }],
    [{ bound_service_principal_ids: '*', bound_group_ids: '*' }],
    [{ bound_service_principal_ids: '*', bound_group_ids: '*', bound_locations: 'eastus' }],
  ])('L14 lets no role in that lets everybody in: %j', async (body) => {
    expect(await code(write('dev', body))).toBe('bad-request');
  });

  it.each([
    [{ bound_service_principal_ids: '*', bound_locations: 'eastus' }],
    [{ bound_service_principal_ids: '*', bound_group_ids: ['g'] }],
    [{ bound_service_principal_ids: ['*', 'x'] }],
    [{ bound_locations: '*' }],
  ])('takes a star that leaves something bound, or is just a word: %j', async (body) => {
    await write('dev', body);
    expect(await fixture.read('role/dev')).toBeDefined();
  });

  it('takes the name from the path and ignores the one in the body', async () => {
    await write('dev', { ...bound, name: 'other' });
    expect(await list()).toMatchObject({ keys: ['dev'] });
  });

  it('gives renewals the parameters of now, and null for a role that is gone', async () => {
    await write('dev', { ...bound, token_ttl: 60 });
    expect(await fixture.method.renew('dev')).toMatchObject({ ttl: 60 });
    await write('dev', { token_ttl: 30, token_policies: 'a', token_period: 5 });
    expect(await fixture.method.renew('dev')).toMatchObject({ ttl: 30, policies: ['a'], period: 5 });
    await fixture.call('delete', 'role/dev');
    expect(await fixture.method.renew('dev')).toBeNull();
  });
});

describe('paths', () => {
  const route = (operation: 'read' | 'list' | 'write' | 'delete', path: string): Promise<unknown> =>
    capabilityOf(fixture.method, operation, path);

  it('need the capability that fits, which depends on what exists', async () => {
    expect(await route('write', 'config')).toBe('create');
    expect(await route('write', 'role/dev')).toBe('create');
    await fixture.configure();
    await write('dev', bound);
    expect(await route('write', 'config')).toBe('update');
    expect(await route('write', 'role/DEV')).toBe('update');
    expect(await route('read', 'config')).toBe('read');
    expect(await route('delete', 'role/dev')).toBe('delete');
    expect(await route('list', 'role/')).toBe('list');
    expect(await route('write', 'rotate-root')).toBe('update');
    expect(await route('write', 'login')).toBe(null);
  });

  it.each([
    ['read', 'rotate-root'],
    ['delete', 'login'],
    ['read', 'login'],
    ['read', 'role'],
    ['write', 'role/'],
    ['list', 'config'],
  ] as const)('have no %s of %s', async (operation, path) => {
    expect(await code(route(operation, path))).toBe('unsupported-operation');
  });

  it.each([
    '',
    'nonsense',
    'config/',
    'login/',
    'role/-x',
    'role/x-',
    'role/.',
    'role/..',
    'role/a/b',
    'role/../config',
    'role/dev/',
    'role/ä',
    `role/${'a'.repeat(257)}`,
    'constructor',
    '__proto__',
  ])('do not include %j', async (path) => {
    expect(await code(route('read', path))).toBe('unsupported-path');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'treat %s as any other name of a role',
    async (name) => {
      expect(await code(fixture.read(`role/${name}`))).toBe('not-found');
      await write(name, { ...bound, token_ttl: 5 });
      expect(await fixture.read(`role/${name}`)).toMatchObject({ token_ttl: 5 });
      expect(await list()).toMatchObject({ keys: [name.toLowerCase()] });
    },
  );
});
