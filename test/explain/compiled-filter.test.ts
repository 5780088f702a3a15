import { afterEach, describe, expect, it } from 'vitest';
import { explain } from '../../src/entries/explain.js';
import { installExplain } from '../../src/filter/explain-filter.js';
import { explainBy } from '../../src/filter/filter.js';
import { compileFilter, defineSchema, t } from '../../src/index.js';

const row = { Status: 'dead', Started: '2026-01-02T00:00:00Z' };

describe('a compiled filter', () => {
  afterEach(installExplain);

  it('is explained by its method and by the function alike', () => {
    const filter = compileFilter('Status == running');
    expect(String(explain(filter, row))).toBe(String(filter.explain(row)));
    expect(filter.explain(row)).toMatchObject({ matches: false, decidedBy: [{ text: 'Status == running' }] });
  });

  it('is explained under the options that it was compiled with', () => {
    const schema = defineSchema({ Status: t.string, Started: t.time });
    const now = (): Date => new Date('2026-01-01T00:00:00Z');
    const started = compileFilter('Started > now', { schema, now });
    expect(explain(started, row).matches).toBe(true);
    const lenient = compileFilter('Meta.owner == ann', { unresolved: 'absent' });
    expect(explain(lenient, row)).toMatchObject({ matches: false, error: null });
    expect(explain(lenient, row, {}).matches).toBeNull();
  });

  it('has no explanation until tamis/explain is loaded, and then has one', () => {
    explainBy(null);
    const filter = compileFilter('Status == running');
    expect(filter.test(row)).toBe(false);
    expect(() => filter.explain(row)).toThrow(/^filter\.explain: import 'tamis\/explain' /);
    expect(explain(filter, row).matches).toBe(false);
    expect(filter.explain(row).matches).toBe(false);
  });
});
