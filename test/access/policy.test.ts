import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { AccessLimitError, definePolicy, PolicyError, type AccessRule } from '../../src/entries/access.js';
import { compileFilter, defineSchema, FilterCheckError, FilterSyntaxError, t } from '../../src/index.js';
import { scaled } from '../support/property-runs.js';
import { drawPolicy, drawRow, isAllowed, rowSchema } from './drawn-policy.js';
import { drawFrom } from './draw-from.js';

const docs = defineSchema({
  ...{ ID: t.string, Owner: t.string, Team: t.string, Level: t.int, Sealed: t.bool },
  ...{ Tags: t.list(t.string), Created: t.time, Secret: t.hidden(t.string) },
});
const people = defineSchema({
  ...{ id: t.string, teams: t.list(t.string), level: t.int, until: t.time, admin: t.bool },
  grants: t.list(t.struct({ Team: t.string, Min: t.int })),
});
const ann = {
  ...{ id: 'ann', teams: ['b', 'a', 'b'], level: 3, until: '2026-11-01T00:00:00Z', admin: false },
  grants: [
    { Team: 'red', Min: 1 },
    { Team: 'blue', Min: 2 },
  ],
};

function policyOf(...rules: readonly AccessRule<'read'>[]) {
  return definePolicy({ schema: docs, caller: people, actions: ['read'], rules });
}

function allow(when: string): AccessRule<'read'> {
  return { effect: 'allow', actions: ['read'], when };
}

function textOf(when: string, caller: object = ann): string {
  return policyOf(allow(when)).access(caller as typeof ann, 'read').text;
}

describe('policy.access', () => {
  it('returns the rules with the values of the caller as one filter over rows', () => {
    const policy = definePolicy({
      schema: docs,
      caller: people,
      actions: ['read', 'update'],
      rules: [
        { effect: 'allow', actions: ['*'], when: 'Owner == @caller.id' },
        { effect: 'allow', actions: ['read'], when: '@Team in caller.teams and Level <= @caller.level' },
        {
          effect: 'allow',
          actions: ['update'],
          when: 'any caller.grants as g { g.Team == @Team and Level >= @g.Min }',
        },
        { effect: 'deny', actions: ['*'], when: 'Sealed == true' },
      ],
    });
    expect(policy.access(ann, 'read').text).toBe(
      '(Owner == "ann" or Team in ["a", "b"] and Level <= 3) and Sealed != "true"',
    );
    expect(policy.access(ann, 'update').text).toBe(
      '(Owner == "ann" or Team == "red" and Level >= 1 or Team == "blue" and Level >= 2) and Sealed != "true"',
    );
  });

  it.each([
    ['Owner == @caller.id or Owner == "bob"', 'Owner in ["ann", "bob"]'],
    ['not (@Team in caller.teams)', 'Team not in ["a", "b"]'],
    ['caller.level >= @Level', 'Level <= 3'],
    ['caller.id starts with @Team', 'Team in ["", "a", "an", "ann"]'],
    ['any Tags as t { @t in caller.teams }', 'any Tags as t { t in ["a", "b"] }'],
    ['any Tags as t { caller.level == 3 }', 'Tags is not empty'],
    ['caller.level == 3 and Level == 1', 'Level == 1'],
    ['Created < @caller.until', 'Created < "2026-11-01T00:00:00Z"'],
    ['len(Tags) <= @caller.level', 'len(Tags) <= 3'],
    ['Secret == @caller.id', 'Secret == "ann"'],
    ['any caller.grants as i, g { i == 1 and g.Team == @Team }', 'Team == "blue"'],
    ['any caller.grants as i, g { Level == @i and g.Min == 2 }', 'Level == 1'],
  ])('writes %s as %s', (when, text) => {
    expect(textOf(when)).toBe(text);
  });

  it('returns no rows if what a rule needs of the caller is missing, null or of the wrong kind', () => {
    for (const teams of [undefined, null, 'a', [null], [1]]) {
      for (const when of ['@Team in caller.teams', 'any caller.teams as t { t == @Team }'])
        expect(policyOf(allow(when)).access({ ...ann, teams } as never, 'read').kind).toBe('none');
      // An unknown team may be the team of the row.
      expect(
        policyOf(allow('@Team not in caller.teams')).access({ ...ann, teams } as never, 'read').kind,
      ).toBe('none');
    }
  });

  it.each([
    ['I < @caller.f', -1e300, 'ID in []'],
    ['I > @caller.f', 1e300, 'ID in []'],
    ['I < @caller.f', 1e300, 'I not in []'],
    ['I == @caller.f', 2.5, 'ID in []'],
    ['I != @caller.f', 2.5, 'I not in []'],
    ['I >= @caller.f', 2.5, 'I >= 3'],
    ['I > @caller.f', NaN, 'ID in []'],
    ['U > @caller.i', -5, 'U not in []'],
    ['F < @caller.i', 9007199254740993n, 'F <= 9007199254740992'],
    ['F >= @caller.i', 9007199254740993n, 'F >= 9007199254740994'],
    ['G <= @caller.f', 0.1, 'G <= 0.09999999403953552'],
    ['@caller.f not in L', 2.5, 'all L as each { each not in [] }'],
    ['F == @caller.g', 0.1, 'F == 0.10000000149011612'],
    ['D <= @caller.d', 90, 'D <= "90000000000ns"'],
    ['Y == @caller.y', 2048, 'Y == "2048B"'],
    ['@caller.at not in T', 'soon', 'T is empty'],
    ['@caller.at in T', 'soon', 'ID in []'],
  ])('compares exactly across kinds: %s with %s is %s', (when, value, text) => {
    const schema = defineSchema({
      ...{
        ID: t.string,
        I: t.int,
        U: t.uint,
        F: t.float64,
        G: t.float32,
        L: t.list(t.int),
        T: t.list(t.time),
        D: t.duration('ms'),
        Y: t.bytes('KiB'),
      },
    });
    const caller = defineSchema({
      ...{ f: t.float64, g: t.float32, i: t.int, at: t.time, d: t.duration('s'), y: t.bytes('B') },
    });
    const policy = definePolicy({ schema, caller, actions: ['read'], rules: [allow(when)] });
    const claims = { f: value, g: value, i: value, at: value, d: value, y: value } as never;
    expect(policy.access(claims, 'read').text).toBe(text);
  });

  it('decides alone that every row passes, or none', () => {
    const [all, none] = [policyOf(allow('caller.level == 3')), policyOf(allow('caller.admin == true'))];
    expect([all.access(ann, 'read').kind, all.access(ann, 'read').text]).toEqual(['all', '']);
    const nothing = none.access(ann, 'read');
    expect(nothing.kind).toBe('none');
    expect(compileFilter(nothing.text, { schema: docs }).test({ ID: '' } as never)).toBe(false);
    expect(policyOf().access(ann, 'read').kind).toBe('none');
    expect(policyOf({ effect: 'deny', actions: ['*'], when: 'Level == 1' }).access(ann, 'read').kind).toBe(
      'none',
    );
  });

  it('returns the same filter for equal rights', () => {
    const policy = policyOf(allow('@Team in caller.teams'));
    const [one, other] = [
      { ...ann, teams: ['a', 'b'] },
      { ...ann, id: 'bob', teams: ['b', 'a', 'a'] },
    ];
    expect(policy.access(one, 'read')).toBe(policy.access(other, 'read'));
    expect(policy.access({ ...ann, teams: ['a'] }, 'read').key).not.toBe(policy.access(one, 'read').key);
  });

  it('evaluates conditions of the caller on the clock at the call, and again at an instant', () => {
    vi.useFakeTimers({ now: new Date('2026-10-01') });
    try {
      const access = policyOf(allow('caller.until > now')).access(ann, 'read');
      expect([access.kind, access.usesNow]).toEqual(['all', true]);
      expect(access.at(new Date('2026-12-01')).kind).toBe('none');
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects callers whose filter exceeds a limit', () => {
    const policy = policyOf(allow('@Team in caller.teams'));
    const teams = Array.from({ length: 2_001 }, (_, at) => String(at));
    expect(() => policy.access({ ...ann, teams }, 'read')).toThrow(AccessLimitError);
    const prefixes = policyOf(allow('caller.id starts with @Team'));
    expect(() => prefixes.access({ ...ann, id: 'x'.repeat(257) }, 'read')).toThrow(
      'policy.access: caller.id has more than 256 code points',
    );
    expect(() => policy.access({ ...ann, teams: ['x'.repeat(3_000_000)] }, 'read')).toThrow(AccessLimitError);
  });

  it('rejects unknown actions and callers that are not objects', () => {
    const policy = policyOf(allow('Level == 1'));
    expect(() => policy.access(ann, 'write' as never)).toThrow(
      'policy.access: unknown action "write"; the actions are read',
    );
    expect(() => policy.access(null as never, 'read')).toThrow(
      'policy.access: caller must be an object, got null',
    );
  });
});

describe('definePolicy', () => {
  it.each([
    ['Ownr == @caller.id', 'bad-rule', FilterCheckError],
    ['Owner = ', 'bad-rule', FilterSyntaxError],
    ['caller.id contains @Owner', 'no-residual', null],
  ] as const)('rejects the rule %s', (when, code, cause) => {
    try {
      policyOf(allow('Level == 1'), allow(when));
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      expect([error.rule, error.code]).toEqual([1, code]);
      if (cause !== null) expect(error.cause).toBeInstanceOf(cause);
    }
  });

  it('names the rule and the action that does not exist', () => {
    expect(() => policyOf({ effect: 'allow', actions: ['write' as never] })).toThrow(
      'definePolicy: rules[0]: unknown action "write"; the actions are read',
    );
    expect(() => policyOf({ effect: 'alow' as never, actions: ['*'] })).toThrow(
      'definePolicy: rules[0]: effect must be allow or deny, got "alow"',
    );
  });

  it('rejects rows with a field caller', () => {
    const schema = defineSchema({ caller: t.string });
    expect(() => definePolicy({ schema, caller: people, actions: ['read'], rules: [] })).toThrow(
      'schema has a field caller',
    );
  });

  it('suggests the reference for a list of the caller', () => {
    expect(() => policyOf(allow('Team in @caller.teams'))).toThrow('@Team in caller.teams');
  });

  it('reports rules that are probably not meant', () => {
    const schema = defineSchema({ ID: t.string, Tags: t.list(t.string), Owner: t.nullable(t.string) });
    const { findings } = definePolicy({
      schema,
      caller: people,
      actions: ['read', 'update'],
      rules: [
        { effect: 'allow', actions: ['read'], when: 'all Tags as t { t == "a" }' },
        { effect: 'deny', actions: ['read'], when: 'Owner == "x"' },
        { effect: 'allow', actions: ['update'], when: 'ID in []' },
        { effect: 'deny', actions: ['update'] },
      ],
    });
    expect(findings.map(({ code, rule }) => [code, rule])).toEqual([
      ['all-over-empty', 0],
      ['deny-unknown', 1],
      ['unreachable', 2],
      ['unreachable', 2],
    ]);
  });
});

describe('policy.explain', () => {
  it('names the rule that decides, and what is unknown', () => {
    const policy = policyOf(allow('Owner == @caller.id'), {
      name: 'sealed',
      effect: 'deny',
      actions: ['*'],
      when: 'Sealed == true',
    });
    expect(policy.explain(ann, 'read', { Owner: 'ann', Sealed: false })).toMatchObject({
      allowed: true,
      rule: 0,
    });
    expect(policy.explain(ann, 'read', { Owner: 'bob', Sealed: false }).text).toBe(
      'denied: no allow rule is true',
    );
    const { text, rules } = policy.explain(ann, 'read', { Owner: 'ann' });
    expect(text).toBe('denied by rules[1] (sealed), which is unknown: Sealed == "true"');
    expect(rules.map(({ result }) => result)).toEqual(['true', 'unknown']);
    expect(policy.explain({ ...ann, id: null } as never, 'read', {}).rules[0]?.unknown).toEqual([
      'caller.id',
    ]);
  });
});

describe('laws of access filters', () => {
  it('allow exactly the rows that the rules allow in three-valued logic', () => {
    let allowed = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawFrom(seed);
        const drawn = drawPolicy(draw);
        if (drawn === null) return;
        const { policy, rules, caller } = drawn;
        const access = policy.access(caller as never, 'read');
        for (const row of draw.list(1, 5, () => drawRow(draw))) {
          const expected = isAllowed(rules, caller, row);
          if (expected) allowed += 1;
          if (access.test(row as never) !== expected)
            throw new Error(inspect({ rules, caller, row, text: access.text, expected }, { depth: 8 }));
          expect(policy.explain(caller as never, 'read', row).allowed).toBe(expected);
        }
      }),
      { numRuns: 600 },
    );
    expect(allowed).toBeGreaterThan(scaled(100));
  });

  it('compile to filters without the caller, and are at most as large as the limit', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const drawn = drawPolicy(drawFrom(seed));
        if (drawn === null) return;
        const { text, kind } = drawn.policy.access(drawn.caller as never, 'read');
        expect(text).not.toMatch(/\bcaller\b/);
        if (kind !== 'all') compileFilter(text, { schema: rowSchema, unresolved: 'deny' });
      }),
      { numRuns: 300 },
    );
  });

  it('grant nothing more if a value of the row or of the caller is removed or damaged', () => {
    let lost = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawFrom(seed);
        const drawn = drawPolicy(draw);
        if (drawn === null) return;
        const { policy, caller } = drawn;
        for (let times = 0; times < 5; times += 1) {
          const row = drawRow(draw);
          if (policy.can(caller as never, 'read', row)) continue;
          lost += 1;
          expect(policy.can(caller as never, 'read', removed(draw, row))).toBe(false);
          expect(policy.can(removed(draw, caller) as never, 'read', row)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
    expect(lost).toBeGreaterThan(scaled(100));
  });

  it('do not depend on the order of rules; allow rules only add rows, and deny rules only remove them', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawFrom(seed);
        const [drawn, more] = [drawPolicy(draw), drawPolicy(draw)];
        if (drawn === null || more === null) return;
        const { rules, caller, define } = drawn;
        const can = (of: readonly AccessRule<'read' | 'write'>[], row: unknown): boolean =>
          define(of).can(caller as never, 'read', row);
        const withEffect = (effect: 'allow' | 'deny') => [
          ...rules,
          ...more.rules.map((rule) => ({ ...rule, effect })),
        ];
        for (const row of draw.list(1, 4, () => drawRow(draw))) {
          const now = can(rules, row);
          expect(can(rules.toReversed(), row)).toBe(now);
          if (now) expect(can(withEffect('allow'), row)).toBe(true);
          else expect(can(withEffect('deny'), row)).toBe(false);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** Returns a copy of an object with less information: without one of its values, or with a value of no kind instead of it. */
function removed(draw: ReturnType<typeof drawFrom>, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return NaN;
  const key = draw.pick(['', ...Object.keys(value)]);
  if (!draw.oneIn(2)) return { ...value, [key]: draw.pick([NaN, Symbol('none')]) };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
