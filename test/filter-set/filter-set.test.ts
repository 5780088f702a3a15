import { describe, expect, it } from 'vitest';
import { defineSchema, FilterCheckError, FilterSyntaxError, parse, t } from '../../src/index.js';
import { createFilterSet, type FilterSetOptions } from '../../src/entries/filter-set.js';

const jobs = defineSchema({
  ID: t.string,
  Status: t.string,
  Priority: t.int,
  Cost: t.float64,
  Stop: t.bool,
  SubmitTime: t.time,
  Version: t.version,
  Datacenters: t.list(t.string),
  Meta: t.map(t.string),
  Owner: t.nullable(t.string),
});

const job = {
  ID: 'web-1',
  Status: 'running',
  Priority: 50,
  Cost: 1.5,
  Stop: false,
  SubmitTime: '2026-11-20T00:00:00Z',
  Version: '1.2.0',
  Datacenters: ['dc1', 'dc2'],
  Meta: { team: 'a' },
  Owner: 'ann',
};

// One line a case: the filter, the fields that it is found by, the clauses that remain to be evaluated.
it.each([
  ['Status == running', ['Status'], []],
  ['Status in [running, dead]', ['Status'], []],
  ['Stop == true and ID == a', ['ID'], []],
  ['ID starts with web', ['ID'], []],
  ['Priority > 10 and Priority <= 60', ['Priority'], []],
  ['Cost == 1.5', ['Cost'], []],
  ['dc1 in Datacenters', ['Datacenters'], []],
  ['Status == running or Priority == 3', ['Status', 'Priority'], ['Status == running or Priority == 3']],
  ['(Status == a and Stop == t) or ID == a', ['Status', 'ID'], ['(Status == a and Stop == t) or ID == a']],
  ['Status == running and Meta.team == a', ['Status'], ['Meta.team == a']],
  ['Meta.team == a and Status == running', ['Status'], ['Meta.team == a']],
  ['Status == running and ID matches "^a"', ['Status'], ['ID matches "^a"']],
  ['Version == 1.2.0', ['Version'], []],
  ['Version > 1.0.0 and Status == running', ['Version'], ['Status == running']],
  ['SubmitTime > 2026-01-01', ['SubmitTime'], []],
  ['SubmitTime > now and Status == running', [], ['SubmitTime > now', 'Status == running']],
  ['Status == running and SubmitTime > now', ['Status'], ['SubmitTime > now']],
  ['Status != running', [], ['Status != running']],
  ['Status == "running"i', [], ['Status == "running"i']],
  ['ID matches "^a" and Status == running', [], ['ID matches "^a"', 'Status == running']],
  ['Owner == ann', ['Owner'], []],
  ['Owner == ann and Status == running', ['Owner'], []],
  ['Owner != ann and Status == running', ['Status'], ['Owner != ann']],
  ['Owner matches "^a"', [], ['Owner matches "^a"']],
  ['Status == running or Meta.team == a', [], ['Status == running or Meta.team == a']],
  ['Datacenters is empty and Status == running', ['Status'], ['Datacenters is empty']],
])('%s is found by %j', (filter, fields, evaluated) => {
  const set = createFilterSet(jobs);
  set.add('f', filter);
  expect(set.explain('f')).toMatchObject({ fields, evaluated });
  expect(set.stats().always).toBe(fields.length === 0 ? 1 : 0);
});

// The same: the filter, whether the job leads to it, why.
it.each([
  ['Status == running', true, 'candidate because of Status'],
  ['Status == dead', false, 'not a candidate: Status of the row leads to other filters'],
  ['Status == running or Priority in [50]', true, 'candidate because of Status and Priority'],
  ['Status != dead', true, 'evaluated for every row: no clause can be looked up before one that may fail'],
])('%s: %s, %s', (filter, isCandidate, reason) => {
  const set = createFilterSet(jobs);
  set.add('f', filter);
  const explanation = set.explainRow('f', job);
  expect(explanation).toMatchObject({ isCandidate, reason });
  expect(explanation?.row.matches).toBe(set.match(job).ids.length === 1);
});

it('says why a row that does not fit leads to a filter', () => {
  const set = createFilterSet(jobs);
  set.add('f', 'Status == dead');
  const odd = { ...job, Status: 5 as unknown as string };
  expect(set.explainRow('f', odd)?.reason).toBe(
    'candidate because the row may not fit the schema in Status or before it',
  );
  expect(set.match(odd).errors).toMatchObject([{ id: 'f', error: { name: 'FilterEvaluationError' } }]);
});

describe('a match', () => {
  it('evaluates only indexed candidates, and those that its values do not decide', () => {
    const set = createFilterSet(jobs);
    for (let number = 0; number < 100; number += 1) {
      set.add(`status ${number}`, `Status == s${number} and Meta.team == a`);
      set.add(`priority ${number}`, `Priority == ${number} and Stop == false`);
    }
    const { ids, candidates, evaluated } = set.match({ ...job, Status: 's7' });
    expect([...ids].sort()).toEqual(['priority 50', 'status 7']);
    expect({ candidates, evaluated }).toEqual({ candidates: 2, evaluated: 1 });
  });

  it('finds a filter by the clause that fewer rows have, once there were rows', () => {
    const set = createFilterSet(jobs);
    set.add('f', 'Status == running and ID == "web-2"');
    expect(set.explain('f')?.fields).toEqual(['Status']);
    for (let row = 0; row < 100; row += 1) set.match(job);
    expect(set.explain('f')?.fields).toEqual(['ID']);
    expect(set.match(job).candidates).toBe(0);
    expect(set.match({ ...job, ID: 'web-2' }).ids).toEqual(['f']);
  });

  it('reports all errors, together with all matches', () => {
    const set = createFilterSet(jobs);
    set.add('null', 'Owner == ann');
    set.add('other', 'Owner == bob');
    set.add('holds', 'Status == running');
    const { ids, errors } = set.match({ ...job, Owner: null });
    expect(ids).toEqual(['holds']);
    expect(errors.map(({ id }) => id).sort()).toEqual(['null', 'other']);
  });

  it('has one instant, which is read once', () => {
    let evaluated = 0;
    const now = (): Date => {
      evaluated += 1;
      return new Date('2026-11-23T00:00:00Z');
    };
    const set = createFilterSet(jobs, { now });
    set.add('week', 'SubmitTime > now - 7d');
    set.add('day', 'SubmitTime > now - 1d');
    expect(set.match(job).ids).toEqual(['week']);
    expect(evaluated).toBe(1);
    expect(set.match(job, { now: new Date('2026-11-20T12:00:00Z') }).ids).toHaveLength(2);
    expect(evaluated).toBe(1);
    expect(() => set.match(job, { now: new Date(NaN) })).toThrow(TypeError);
  });

  it('survives a row that queries the set about another row while it is read', () => {
    const set = createFilterSet(jobs);
    set.add('running', 'Status == running and Meta.team == a');
    set.add('dead', 'Status == dead');
    const inner: unknown[] = [];
    const row = {
      ...job,
      get Status() {
        inner.push(...set.match({ ...job, Status: 'dead' }).ids);
        return 'running';
      },
    };
    expect(set.match(row).ids).toEqual(['running']);
    expect(new Set(inner)).toEqual(new Set(['dead']));
  });
});

describe('parts of a match', () => {
  it('omit what was removed meanwhile, and do not evaluate what was added', () => {
    const set = createFilterSet(jobs);
    for (let number = 0; number < 10; number += 1)
      set.add(`f${number}`, `Status == running and Priority > ${number}`);
    const parts = set.matchInParts(job, 3);
    const first = parts.next().value?.ids ?? [];
    expect(first).toHaveLength(3);
    const rest = Array.from({ length: 10 }, (_, number) => `f${number}`).filter((id) => !first.includes(id));
    set.remove(rest[0] ?? '');
    set.add('late', 'Status == running and Priority > 20');
    const others = [...parts].flatMap(({ ids }) => ids);
    expect([...others].sort()).toEqual(rest.slice(1).sort());
  });

  it.each([0, -1, 1.5, NaN])('of %s candidates are refused', (size) => {
    expect(() => createFilterSet(jobs).matchInParts(job, size)).toThrow(RangeError);
  });
});

describe('a change', () => {
  const set = createFilterSet(jobs);
  set.add('running', 'Status == running');
  set.add('dead', 'Status == dead');
  set.add('dc1', 'dc1 in Datacenters');
  const dead = { ...job, Status: 'dead' };
  it.each([
    ['of a row', job, dead, { entered: ['dead'], left: ['running'], changed: ['dc1'] }],
    ['that brings a row', undefined, dead, { entered: ['dead', 'dc1'], left: [], changed: [] }],
    ['that takes a row away', job, undefined, { entered: [], left: ['running', 'dc1'], changed: [] }],
  ])('%s', (_, before, after, expected) => {
    expect(set.matchChange(before, after)).toEqual({ ...expected, errors: { before: [], after: [] } });
  });
});

describe('the filters of a set', () => {
  it('are one where their texts are the same', () => {
    const set = createFilterSet(jobs);
    set.add('a', 'Status == "running"');
    set.add('b', parse('Status == "running"'));
    set.add('c', parse('Status == "running"').ast);
    expect(set.stats()).toMatchObject({ filters: 3, distinct: 1, totalLength: 19 });
    expect(set.match(job)).toMatchObject({ ids: ['a', 'b', 'c'], candidates: 1 });
    set.remove('a');
    expect(set.match(job).ids).toEqual(['b', 'c']);
    expect([set.has('a'), set.has('b'), set.size]).toEqual([false, true, 2]);
  });

  it('take the place of those with the same id; what is refused changes nothing', () => {
    const set = createFilterSet(jobs);
    set.add('a', 'Status == running');
    set.add('a', 'Status == dead');
    expect(() => set.add('a', 'Stauts == dead')).toThrow(FilterCheckError);
    expect(() => set.add('a', 'Status ==')).toThrow(FilterSyntaxError);
    expect(() => set.add(5 as unknown as string, 'Status == a')).toThrow('id must be a string, got 5');
    expect(() => set.add('a', 5 as unknown as string)).toThrow('filter must be a string, got 5');
    expect(set.match({ ...job, Status: 'dead' }).ids).toEqual(['a']);
    expect(set.stats()).toMatchObject({ filters: 1, distinct: 1, always: 0 });
    expect(set.remove('nobody')).toBe(false);
    expect([set.explain('nobody'), set.explainRow('nobody', job)]).toEqual([undefined, undefined]);
  });

  it('are read in the dialect of the set, or in which they were parsed', () => {
    const set = createFilterSet(jobs, { dialect: 'go-bexpr' });
    expect(() => set.add('a', 'Priority > 5')).toThrow(FilterSyntaxError);
    const open = createFilterSet(jobs);
    open.add('go', parse('ID == "/srv/data"', { dialect: 'go-bexpr' }));
    open.add('standard', 'ID == "/srv/data"');
    expect(open.match({ ...job, ID: '/srv/data' }).ids).toEqual(['standard']);
    expect(open.match({ ...job, ID: 'srv/data' }).ids).toEqual(['go']);
  });

  it('are as many, and as long together, as the bounds allow', () => {
    const set = createFilterSet(jobs, { maxFilters: 2, maxTotalLength: 40 });
    set.add('a', 'Status == running');
    set.add('b', 'Status == dead');
    expect(() => set.add('c', 'Status == dead')).toThrow(
      'FilterSet.add: the set has 2 filters, and maxFilters allows 2; remove some first',
    );
    expect(() => set.add('b', 'Status == "something long"')).toThrow(
      'FilterSet.add: the filters would have 43 characters together, and maxTotalLength allows 40',
    );
    set.add('b', 'Status == running');
    expect(set.stats()).toMatchObject({ filters: 2, distinct: 1, totalLength: 17 });
  });
});

// One line a case: the options, what is said of them.
it.each([
  [{ maxFilters: 0 }, 'createFilterSet: maxFilters must be a positive number or Infinity, got 0'],
  [{ maxTotalLength: NaN }, 'createFilterSet: maxTotalLength must be a positive number or Infinity, got NaN'],
  [{ check: false }, 'createFilterSet: unknown option "check". The options are'],
  [{ unknownValue: 1 }, 'createFilterSet: unknown option "unknownValue". The options are'],
  [{ maxFilter: 1 }, 'createFilterSet: unknown option "maxFilter". Did you mean maxFilters?'],
  [{ limits: { maxTerm: 1 } }, 'createFilterSet: unknown limit "maxTerm". Did you mean maxTerms?'],
  [{ specialise: 1 }, 'createFilterSet: specialise must be a boolean, got 1'],
  [{ now: 5 }, 'createFilterSet: now must be a function that returns a Date, got 5'],
  [{ unresolved: 'no' }, "createFilterSet: unresolved must be 'error', 'absent' or 'deny', got \"no\""],
])('%j is refused', (options, message) => {
  expect(() => createFilterSet(jobs, options as FilterSetOptions)).toThrow(message);
});

it('a set needs a schema', () => {
  expect(() => createFilterSet({} as typeof jobs)).toThrow('createFilterSet: schema must be created with');
});
