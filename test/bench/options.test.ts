import { describe, expect, it } from 'vitest';
import { help, readOptions, UsageError } from '../../bench/options.js';

describe('the command line of the benchmarks', () => {
  it('runs everything by default', () => {
    const options = readOptions([]);
    expect(options).toMatchObject({ mode: 'all', rounds: 25, requests: 10, json: false });
    expect(options.cases).toHaveLength(11);
    expect(options.variants).toEqual(['mono-100k', 'mono-hot', 'poly-100k', 'poly-hot']);
    expect(options.competitors).toContain('tamis');
    expect(options.scenarios).toContain('parse');
  });

  it.each([
    { args: ['--only', 'E4'], cases: ['E4'], scenarios: [] },
    { args: ['--only', 'E11,E2'], cases: ['E2', 'E11'], scenarios: [] },
    { args: ['--only', 'page, E4'], cases: ['E4'], scenarios: ['page'] },
    { args: ['--only', 'live'], cases: [], scenarios: ['live'] },
  ])('$args runs the cases $cases and the scenarios $scenarios', ({ args, cases, scenarios }) => {
    expect(readOptions(args)).toMatchObject({ cases, scenarios });
  });

  it.each([['--variant', 'poly-hot'], ['--json']])('%s leaves the scenarios out', (...args) => {
    expect(readOptions(args).scenarios).toEqual([]);
  });

  it('reads the rest', () => {
    const args = [
      '--variant=poly-hot',
      '--competitors=sift,tamis',
      '--rounds=7',
      '--requests=0',
      '--seed=42',
      '--json',
    ];
    expect(readOptions(args)).toMatchObject({
      variants: ['poly-hot'],
      competitors: ['tamis', 'sift'],
      rounds: 7,
      requests: 0,
      seed: 42,
      json: true,
    });
  });

  it.each([
    { text: 'v1.0', revisions: ['v1.0', null] },
    { text: 'HEAD~3..HEAD', revisions: ['HEAD~3', 'HEAD'] },
    { text: 'HEAD~3..', revisions: ['HEAD~3', null] },
  ])('compares $text', ({ text, revisions }) => {
    expect(readOptions(['--compare', text])).toMatchObject({ mode: 'compare', revisions });
  });

  it.each([
    { args: ['--only', 'E12'], message: '--only: there is no E12; there is E1, E2' },
    { args: ['--variant', 'cold'], message: '--variant: there is no cold; there is mono-100k' },
    { args: ['--competitors', 'tamis,zod'], message: '--competitors: there is no zod; there is tamis' },
    { args: ['--rounds', '2'], message: '--rounds must be a whole number of at least 3, not 2' },
    { args: ['--rounds', 'many'], message: '--rounds must be a whole number of at least 3, not many' },
    { args: ['--seed', 'x'], message: '--seed must be a whole number of at least 0, not x' },
    { args: ['--requests', '-1'], message: "'--requests' argument is ambiguous" },
    { args: ['--requests', '1e3'], message: '--requests must be a whole number of at least 0, not 1e3' },
    { args: ['--quick', '--compare', 'HEAD'], message: '--quick and --compare exclude each other' },
    { args: ['--compare', ''], message: '--compare needs a revision' },
    { args: ['--fast'], message: "Unknown option '--fast'" },
    { args: ['E4'], message: "Unexpected argument 'E4'" },
  ])('refuses $args', ({ args, message }) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(message);
  });

  it('prints help together with any other options', () => {
    expect(readOptions(['--help', '--quick']).mode).toBe('help');
    for (const flag of [
      '--only',
      '--variant',
      '--competitors',
      '--rounds',
      '--seed',
      '--requests',
      '--json',
      '--quick',
      '--compare',
      '--forms',
    ]) {
      expect(help).toContain(flag);
    }
  });
});
