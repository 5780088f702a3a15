import { describe, expect, it, vi } from 'vitest';
import { definePolicy, PolicyError, type AccessRule } from '../../src/entries/access.js';
import { listEndpoint } from '../../src/entries/http.js';
import { createList } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({ ID: t.string, Owner: t.string, Team: t.string, Readers: t.list(t.string) });
const caller = defineSchema({ id: t.string, teams: t.list(t.string), names: t.map(t.string) });

function policyOf(...rules: readonly AccessRule<'read'>[]) {
  return definePolicy({ schema, caller, actions: ['read'], rules });
}

describe('a rule', () => {
  it.each([
    ['Owner == caller.id', 'caller.id'],
    ['caller.id in Readers', 'caller.id'],
    ['Team in caller.teams', 'Team'],
    ['not (any Readers as r { r == Owner })', 'Owner'],
    ['any caller.teams as x { Team == x }', 'x'],
  ])('without @ is rejected: %s', (when, word) => {
    expect(() => policyOf({ effect: 'deny', actions: ['*'], when })).toThrow(
      `definePolicy: rules[0]: ${word} without @ is a string, not the field: write @${word}, or "${word}" for the string`,
    );
  });

  it.each(['Owner == "Team"', 'Owner == ann', 'Owner == 5', 'Team in ["Owner"]'])(
    'may have the string: %s',
    (when) => {
      expect(() => policyOf({ effect: 'allow', actions: ['*'], when })).not.toThrow();
    },
  );

  it.each([null, 5, false])('whose condition is %s is a mistake of that rule', (when) => {
    const rules = [
      { effect: 'allow', actions: ['*'] },
      { effect: 'allow', actions: ['*'], when },
    ] as never;
    expect(() => definePolicy({ schema, caller, actions: ['read'], rules })).toThrow(PolicyError);
    expect(() => definePolicy({ schema, caller, actions: ['read'], rules })).toThrow('rules[1]');
  });

  it('may test entries of a map of the caller for null', () => {
    const policy = policyOf({ effect: 'allow', actions: ['read'], when: 'caller.names.x is nil' });
    expect(policy.access({ names: { x: null } }, 'read').kind).toBe('all');
    expect(policy.access({ names: { x: 'a' } }, 'read').kind).toBe('none');
  });
});

it('finds rules that are true for an empty list of the caller', () => {
  const { findings } = policyOf({
    effect: 'allow',
    actions: ['*'],
    when: 'all caller.teams as x { x == @Team }',
  });
  expect(findings).toMatchObject([{ code: 'all-over-empty', rule: 0 }]);
});

it('reads sparse lists of the caller as missing values', () => {
  const teams = ['', 'a'];
  Reflect.deleteProperty(teams, 0);
  const policy = policyOf({ effect: 'allow', actions: ['*'], when: '@Team in caller.teams' });
  expect(policy.access({ teams }, 'read').text).toBe('Team == "a"');
});

it('rejects an access filter that is undefined', async () => {
  const list = createList(createTable(schema, { key: 'ID' }));
  await expect(list.page({ access: undefined as never })).rejects.toThrow(
    'access must come from policy.access',
  );
});

it('serves a part of the fields, and finds rows by the others', async () => {
  const table = createTable(schema, { key: 'ID', indexes: ['Owner'] });
  table.put({ ID: 'a', Owner: 'ann', Team: 'x', Readers: [] });
  table.put({ ID: 'b', Owner: 'bob', Team: 'x', Readers: [] });
  const policy = policyOf({ effect: 'allow', actions: ['read'], when: 'Owner == @caller.id' });
  const onError = vi.fn();
  const endpoint = listEndpoint(table, {
    access: () => policy.access({ id: 'ann' }, 'read'),
    fields: ['ID', 'Team'],
    onError,
  });
  const response = await endpoint.fetch(new Request('http://list/'));
  expect([response.status, await response.json()]).toEqual([200, [{ ID: 'a', Team: 'x' }]]);
  expect((await endpoint.fetch(new Request('http://list/?filter=Owner+is+empty'))).status).toBe(400);
  expect(onError).not.toHaveBeenCalled();
});
