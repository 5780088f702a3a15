import { readFileSync } from 'node:fs';
import { compileFilter } from 'tamis';
import { describe, expect, it } from 'vitest';
import { writtenForms } from '../../../src/language/operators/operators.js';
import { filtersHelp } from '@tamis/scheduler-command/filters-help.js';
import { jobShape } from '@tamis/scheduler-model/job.js';
import { filterSchema } from '@tamis/scheduler-model/row-type.js';

const help = filtersHelp();

it('the help on filters names every operator of the engine, once', () => {
  const [, table = ''] = /:\n\n((?: {2}.*\n)+)\nConditions:/.exec(help) ?? [];
  const named = [...table.matchAll(/^ {2}(.+?) {2,}\S/gm)].map(([, operator]) => operator);
  expect(named.toSorted()).toEqual([...new Set(writtenForms().map(({ text }) => text))].toSorted());
});

describe('the filters in the help', () => {
  const [, conditions = ''] = help.split('\nConditions:\n');
  const printed = [...conditions.matchAll(/^ {2}(\S.*?) {2,}\S/gm)].map(([, filter = '']) => filter);
  it('are several', () => expect(printed.length).toBeGreaterThan(12));
  it.each(printed)('%s is one of jobs', (filter) => {
    expect(() => compileFilter(filter, { schema: filterSchema(jobShape) })).not.toThrow();
  });
});

it('the page on filters has the help as it is', () => {
  const page = readFileSync(new URL('../../scheduler/docs/filters.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`text\n${help}\`\`\`\n`);
});
