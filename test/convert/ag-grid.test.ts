import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromAgGrid, toAgGrid } from '../../src/entries/convert.js';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import { browserPath, launch, whyNoBrowser } from '../support/browser.js';
import { whyExtraMissing } from '../support/extra.js';
import { scaled } from '../support/property-runs.js';
import {
  filters,
  float,
  integer,
  rows,
  schema,
  selected,
  valueOf,
  word,
  type ForeignRow,
} from './foreign-rows.js';

const missing = whyExtraMissing('extra/convert') ?? (browserPath === null ? whyNoBrowser : null);
const note = missing === null ? '' : ` (skipped: ${missing})`;

const nonEmpty = word.filter((each) => each !== '');
const text = (types: readonly string[]): fc.Arbitrary<unknown> =>
  fc.record(
    { filterType: fc.constant('text'), type: fc.constantFrom(...types), filter: nonEmpty },
    { noNullPrototype: true },
  );
const texts = text([
  'equals',
  'notEqual',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'blank',
  'notBlank',
]);
const number = (value: fc.Arbitrary<number>): fc.Arbitrary<unknown> =>
  fc.record(
    {
      filterType: fc.constant('number'),
      type: fc.constantFrom(
        'equals',
        'notEqual',
        'lessThan',
        'lessThanOrEqual',
        'greaterThan',
        'greaterThanOrEqual',
        'inRange',
        'blank',
        'notBlank',
      ),
      filter: value,
      filterTo: value,
    },
    { noNullPrototype: true },
  );
const bool = fc.record(
  { filterType: fc.constant('text'), type: fc.constantFrom('true', 'false') },
  { noNullPrototype: true },
);

/** A condition, or two of them joined. */
const column = (filterType: string, condition: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    condition,
    fc.record(
      {
        filterType: fc.constant(filterType),
        operator: fc.constantFrom('AND', 'OR'),
        conditions: fc.tuple(condition, condition),
      },
      { noNullPrototype: true },
    ),
  );

const models = fc.record(
  {
    Name: column('text', texts),
    Owner: column('text', texts),
    'Net.Zone': column('text', texts),
    Count: column('number', number(integer)),
    Load: column('number', number(float)),
    Quota: column('number', number(integer)),
    'Net.Port': column('number', number(integer)),
    Stop: bool,
  },
  { requiredKeys: [], noNullPrototype: true },
);

interface Case {
  readonly model: unknown;
  readonly all: readonly ForeignRow[];
}

/** Returns the rows that the grid itself shows, for each case. */
async function displayIn(page: Page, cases: readonly Case[], caseSensitive: boolean): Promise<number[][]> {
  return page.evaluate(displayInPage, { cases, caseSensitive });
}

/** Runs in the page. */
function displayInPage({
  cases,
  caseSensitive,
}: {
  cases: readonly Case[];
  caseSensitive: boolean;
}): number[][] {
  interface Grid {
    setFilterModel(model: unknown): void;
    setGridOption(name: string, value: unknown): void;
    forEachNodeAfterFilter(visit: (node: { data: { at: number } }) => void): void;
    destroy(): void;
  }
  const { agGrid, document } = globalThis as unknown as {
    agGrid: { createGrid(element: unknown, options: unknown): Grid };
    document: { createElement(name: string): unknown; body: { replaceChildren(child: unknown): void } };
  };
  const filterParams = { caseSensitive };
  const kinds: [string, string][] = [
    ['Name', 'text'],
    ['Owner', 'text'],
    ['Net.Zone', 'text'],
    ['Count', 'number'],
    ['Load', 'number'],
    ['Quota', 'number'],
    ['Net.Port', 'number'],
    ['Stop', 'boolean'],
    ['At', 'dateTime'],
  ];
  const element = document.createElement('div');
  document.body.replaceChildren(element);
  const grid = agGrid.createGrid(element, {
    columnDefs: kinds.map(([field, cellDataType]) => ({
      colId: field,
      field,
      cellDataType,
      filter: true,
      ...(cellDataType === 'text' ? { filterParams } : {}),
    })),
    rowData: [],
  });
  const displayed = cases.map(({ model, all }) => {
    grid.setGridOption(
      'rowData',
      all.map((row, at) => ({
        ...row,
        ...(typeof row['At'] === 'string' ? { At: new Date(row['At']) } : {}),
        at,
      })),
    );
    grid.setFilterModel(model);
    const found: number[] = [];
    grid.forEachNodeAfterFilter(({ data }) => found.push(data.at));
    return found.sort((a, b) => a - b);
  });
  grid.destroy();
  return displayed;
}

describe.skipIf(missing !== null)(`filter models of AG Grid${note}`, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launch();
    // Dates of filter models have no zone: the grid reads them in the zone of the browser.
    page = await (await browser.newContext({ timezoneId: 'UTC' })).newPage();
    const bundle = '../../extra/convert/node_modules/ag-grid-community/dist/ag-grid-community.min.js';
    await page.addScriptTag({
      content: readFileSync(fileURLToPath(new URL(bundle, import.meta.url)), 'utf8'),
    });
  });
  afterAll(() => browser.close());

  it.each([false, true])(
    'selects the rows that the grid shows, with caseSensitive: %s',
    async (caseSensitive) => {
      const cases = fc.sample(fc.record({ model: models, all: rows }), {
        numRuns: scaled(400),
        seed: Number(process.env['PROPERTY_SEED'] ?? 1),
      });
      const displayed = await displayIn(page, cases, caseSensitive);
      cases.forEach(({ model, all }, index) => {
        const filter = valueOf(fromAgGrid(model, { schema, caseSensitive }));
        expect(selected(filter, all), `${JSON.stringify(model)} is ${filter?.source}`).toEqual(
          displayed[index],
        );
      });
    },
  );

  it('exports models with which the grid shows the rows of the filter', async () => {
    const drawn = fc.sample(fc.record({ source: filters, all: rows }), {
      numRuns: scaled(1_000),
      seed: Number(process.env['PROPERTY_SEED'] ?? 1),
    });
    const cases = drawn.flatMap(({ source, all }) => {
      const model = toAgGrid(source, { schema, caseSensitive: true });
      return model.ok ? [{ source, all, model: model.value }] : [];
    });
    expect(cases.length).toBeGreaterThan(scaled(150));
    const displayed = await displayIn(page, cases, true);
    cases.forEach(({ source, all, model }, index) => {
      const filter = compileFilter(source, { schema, unresolved: 'absent' });
      const matching = all.flatMap((row, at) => (filter.test(row) ? [at] : []));
      expect(displayed[index], `${source} is ${JSON.stringify(model)}`).toEqual(matching);
      expect(selected(valueOf(fromAgGrid(model, { schema, caseSensitive: true })), all)).toEqual(matching);
    });
  });

  it('exports dates as instants', async () => {
    const times = defineSchema({ At: t.nullable(t.time) });
    const all = ['2026-11-01T00:00:00Z', '2026-11-01T08:30:00Z', '2026-11-02T00:00:00Z', null].map((At) => ({
      At,
    }));
    const sources = [
      'At == 2026-11-01',
      'At != "2026-11-01T08:30:00Z"',
      'At >= "2026-11-01T08:30:00Z"',
      'At is nil',
      'At > 2026-11-01 and At < 2026-11-02',
    ];
    const models = sources.map((source) => valueOf(toAgGrid(source, { schema: times })));
    const displayed = await displayIn(
      page,
      models.map((model) => ({ model, all })),
      false,
    );
    sources.forEach((source, index) => {
      const filter = compileFilter(source, { schema: times, unresolved: 'absent' });
      expect(displayed[index], source).toEqual(all.flatMap((row, at) => (filter.test(row) ? [at] : [])));
    });
  });
});
