import { describe, expect, it } from 'vitest';
import { resourceNames } from '../../src/language/protocol.js';
import { createResourceLanguage } from '../../src/language/resource-language.js';
import { schemas } from '../../src/language/schemas.js';

const jobs = createResourceLanguage(schemas.jobs);
const clause = (value: string | number, isNegated = false, path: readonly string[] = ['Status']) => ({
  ...{ path, value, isNegated },
});

describe('the language of a list', () => {
  it.each(resourceNames)('knows the fields of %s', async (resource) => {
    const { items } = await createResourceLanguage(schemas[resource]).complete('', 0);
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(['ID', 'CreateIndex']));
    expect(items.map(({ label }) => label)).not.toContain('SecretID');
  });

  it.each([
    ['', clause('running'), 'Status == "running"'],
    ['  ', clause('running', true), 'Status != "running"'],
    ['Priority > 1', clause('a"b'), 'Priority > 1 and Status == "a\\x22b"'],
    ['A == 1 or B == 2', clause('x'), '(A == 1 or B == 2) and Status == "x"'],
    ['Status == "x" and B == 2', clause('x'), 'Status == "x" and B == 2'],
    ['Status=="x"', clause('x'), 'Status=="x"'],
    ['B == 2', clause(7, false, ['Meta', 'cost.center']), 'B == 2 and Meta["cost.center"] == 7'],
    ['not (', clause('x'), null],
  ])('adds to %j', async (text, added, expected) => {
    const found = await jobs.withClause(text, added);
    expect(found).toBe(expected);
  });

  it.each([
    [
      'Status=="runing" and B == 2',
      'Status == "runing"',
      'Status == "running"',
      'Status == "running" and B == 2',
    ],
    ['Status=="runing" and B == 2', 'Status == "runing"', null, 'B == 2'],
    ['(A == 1 or B == 2) and C == 3', 'C == 3', null, 'A == 1 or B == 2'],
    ['Status == "x"', 'Status == "x"', null, ''],
    ['Status == "x"', 'Status == "y"', null, null],
    ['not (', 'Status == "y"', null, null],
  ])('replaces in %j the clause %j by %j', async (text, old, instead, expected) => {
    expect(await jobs.replaceClause(text, old, instead)).toBe(expected);
  });

  it('offers the values that it has learnt, those that are counted first', async () => {
    const language = createResourceLanguage(schemas.jobs);
    await language.setCompletionData({
      rows: [{ Status: 'odd', Meta: { owner: 'me' } }],
      values: { Status: ['running', 'dead'] },
    });
    const values = async (text: string) =>
      (await language.complete(text, text.length)).items
        .filter(({ kind }) => kind === 'value')
        .map(({ insert }) => insert);
    expect(await values('Status == ')).toEqual(['"running"', '"dead"', '"odd"']);
    expect(await values('Meta.owner == ')).toEqual(['"me"']);
  });

  it('finds mistakes with corrections, and in what is sound what is not meant', async () => {
    expect(await jobs.problems('')).toEqual([]);
    const [slip] = await jobs.problems('Stauts == "x"');
    expect(slip).toMatchObject({ severity: 'error', suggestions: [{ replacement: 'Status' }] });
    const [odd] = await jobs.problems('Priority > 5 and Priority < 3');
    expect(odd?.severity).toBe('warning');
  });
});
