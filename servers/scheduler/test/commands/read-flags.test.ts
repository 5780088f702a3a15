import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandTable } from '../../src/program/local/command-table.js';
import type { ClientCommand } from '@tamis/scheduler-command/command.js';
import { flagsOf, readGiven } from '@tamis/scheduler-command/find-command.js';
import { readFlags, type FlagOptions } from '@tamis/scheduler-command/read-flags.js';

const options: FlagOptions = {
  namespace: { type: 'string', multiple: true, short: 'n' },
  sort: { type: 'string', multiple: true },
  detach: { type: 'boolean' },
  purge: { type: 'boolean', short: 'p' },
  verbose: { type: 'boolean', short: 'v' },
  tail: { type: 'string', multiple: true, short: 't' },
};
const read = (...args: string[]) =>
  readFlags(args, options, { dashed: new Set(['sort']), alone: new Map([['tail', '10']]) });

describe('flags', () => {
  it.each<[args: string[], values: object, positionals?: string[]]>([
    [['-namespace=prod'], { namespace: ['prod'] }],
    [['-namespace', 'prod', 'web'], { namespace: ['prod'] }, ['web']],
    [['--namespace=prod', '-n', 'b'], { namespace: ['prod', 'b'] }],
    [['-n=prod'], { namespace: ['prod'] }],
    [['--namespace=-odd-'], { namespace: ['-odd-'] }],
    [['-detach', '-purge'], { detach: true, purge: true }],
    [['-p', '-no-detach'], { purge: true, detach: false }],
    [['-purge=true', '--detach=false'], { purge: true, detach: false }],
    [['-sort', '-SubmitTime'], { sort: ['-SubmitTime'] }],
    [['a', '--', '-namespace=prod'], {}, ['a', '-namespace=prod']],
    [['-tail', '-t', '5', 'web'], { tail: ['5'] }, ['web']],
    [['-t', '5', '--tail'], { tail: ['5'] }],
    [['--tail', 'web'], { tail: ['10'] }, ['web']],
    [['--tail', '5', 'web'], { tail: ['5'] }, ['web']],
    [['-tail=5', '-v'], { tail: ['5'], verbose: true }],
    [['-', '-v'], { verbose: true }, ['-']],
  ])('%j', (args, values, positionals = []) => {
    const given = read(...args);
    expect({ ...given.values }).toEqual(values);
    expect(given.positionals).toEqual(positionals);
  });

  it.each<[args: string[], message: string]>([
    [['-namespce=prod'], "Unknown option '-namespce': did you mean --namespace?"],
    [['-nprod'], "Unknown option '-nprod': -n stands alone, as in -n prod or --namespace"],
    [['-vp'], "Unknown option '-vp': -v stands alone, or is --verbose"],
    [['-x'], "Unknown option '-x': flags have names, and begin with two dashes"],
    [['web', '-1'], '-1 is negative: numbers here begin at 0'],
    [['-yes'], "Unknown option '-yes': there is no flag --yes"],
    [['-t', '-v'], '-t has no value, "-v" looks like a flag: where it is the value write --tail=-v'],
    [['--detahc'], "Unknown option '--detahc': did you mean --detach?"],
    [['-n'], '-n has no value: write --namespace=VALUE'],
    [['-n', '-v'], '-n has no value, "-v" looks like a flag: where it is the value write --namespace=-v'],
    [['--namespace', '--detach', 'web'], '--namespace has no value, "--detach" looks like a flag'],
    [['-detach=maybe'], "Option '--detach' does not take an argument"],
  ])('refuses %j', (args, message) => expect(() => read(...args)).toThrow(message));

  const commands = commandTable.filter((one): one is ClientCommand => one.kind !== 'local');

  it.each(commands.map((command) => [command.path, command] as const))(
    'every long flag of %s may begin with one dash, and means the same',
    async (_path, command) => {
      const positionals = (command.positionals ?? []).map(({ name }) => name);
      const entries = Object.entries(await flagsOf(command)).filter(
        ([name, { alone }]) => alone === undefined && !['filter', 'sort', 'limit', 'facets'].includes(name),
      );
      for (const [name, { value }] of entries) {
        await fc.assert(
          fc.asyncProperty(fc.stringMatching(/^[a-z0-9=][a-z0-9=-]{0,9}$/), async (text) => {
            const long = value === undefined ? [`--${name}`] : [`--${name}=${text}`];
            const forms = value === undefined ? [[`-${name}`]] : [[`-${name}=${text}`], [`-${name}`, text]];
            const expected = await readGiven(command, [...long, ...positionals]);
            for (const form of forms) {
              const given = await readGiven(command, [...form, ...positionals]);
              expect([given.has(name), given.texts(name)]).toEqual([expected.has(name), expected.texts(name)]);
            }
          }),
          { numRuns: 5 },
        );
      }
    },
  );

  it.each(commands.map((command) => [command.path, command] as const))(
    'no letter of %s is given twice',
    async (_path, command) => {
      const letters = Object.values(await flagsOf(command)).flatMap(({ short }) => short ?? []);
      expect(new Set(letters).size).toBe(letters.length);
    },
  );
});
