import { expect, it } from 'vitest';
import { definePolicy, type AccessRule } from '../../src/entries/access.js';
import { SqlFilterError, sqlListSource, sqlMapping, text, verifyAccess } from '../../src/entries/sql.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({ id: t.string, owner: t.string, team: t.string, version: t.version });
const mapping = sqlMapping(schema, {
  dialect: 'postgres',
  table: 'docs',
  columns: {
    ...{ id: text('id', { notNull: true }), owner: text('owner'), team: text('team') },
    version: text('version'),
  },
});

function policyOf(...rules: readonly AccessRule<'read'>[]) {
  const caller = defineSchema({ id: t.string, teams: t.list(t.string), version: t.version, admin: t.bool });
  return definePolicy({ schema, caller, actions: ['read'], rules });
}

function allow(when: string): AccessRule<'read'> {
  return { effect: 'allow', actions: ['read'], when };
}

it('accepts a policy whose rules the database evaluates exactly', () => {
  const policy = policyOf(
    allow('owner == @caller.id or @team in caller.teams or caller.admin == true'),
    { effect: 'deny', actions: ['read'], when: 'team == "x"' },
    { effect: 'allow', actions: ['read'] },
  );
  const list = sqlListSource(mapping, () => [], { key: 'id' });
  for (const table of [mapping, list]) expect(() => verifyAccess(policy, table)).not.toThrow();
});

it('names the rules and conditions that are not exact', () => {
  const policy = policyOf(
    allow('owner == @caller.id'),
    allow('caller.admin == true and version > @caller.version'),
  );
  try {
    verifyAccess(policy, mapping);
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof SqlFilterError)) throw error;
    expect(error.clauses.map(({ filter }) => filter)).toEqual(['rules[1]: version > "1.0.0"']);
  }
});

it('rejects other objects and policies of other schemas', () => {
  expect(() => verifyAccess({}, mapping)).toThrow(
    'verifyAccess: policy must be created with definePolicy(), got an object',
  );
  expect(() => verifyAccess(policyOf(), {})).toThrow(
    'verifyAccess: the table must be created with sqlMapping()',
  );
  const caller = defineSchema({ id: t.string });
  const other = definePolicy({ schema: caller, caller, actions: ['read'], rules: [] });
  expect(() => verifyAccess(other, mapping)).toThrow('must have the same schema');
});

it('evaluates claims that expire at the instant of the statement', () => {
  const caller = defineSchema({ until: t.time });
  const rules = [{ effect: 'allow', actions: ['read'], when: 'caller.until > now' }] as const;
  const access = definePolicy({ schema, caller, actions: ['read'], rules }).access(
    { until: '2200-01-01T00:00:00Z' },
    'read',
  );
  const at = (now: Date): string => mapping.where('owner == "a"', { access, now }).toSQL('$');
  expect(access.kind).toBe('all');
  expect(
    [at(new Date('2100-01-01')), at(new Date('2300-01-01'))].map((sql) => sql.includes('FALSE')),
  ).toEqual([false, true]);
});
