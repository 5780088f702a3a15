import { parseArgs } from 'node:util';
import { hostileRequests, type HostileRequest } from './hostile-requests.js';

/** The parsed command line. */
export interface StallsArguments {
  readonly help: boolean;
  /** Jobs of the long list. */
  readonly rows: number;
  readonly chosen: readonly HostileRequest[];
  /** Of mixed load; 0 runs each request once. */
  readonly minutes: number;
  readonly json: boolean;
}

export const stallsHelp = `Finds what holds up an agent: starts one, watches its event loop from inside, and sends it hostile requests.

  --rows N      jobs of the long list (100000)
  --only TEXT   only the requests whose name has this in it, and what they build on
  --minutes N   the requests again and again for that long, and how somebody else gets on meanwhile
  --json        the figures as JSON
  --help        this text

The columns: milliseconds in which the agent did nothing else, at most, without the collections of garbage and with
them; the longest pause for garbage; how long somebody else waited at most; megabytes of memory, at most and afterwards;
milliseconds that it took; the response.
`;

/** @throws TypeError for an unknown flag. @throws RangeError for an invalid value. */
export function readStallsArguments(argv: readonly string[]): StallsArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rows: { type: 'string', default: '100000' },
      only: { type: 'string', default: '' },
      minutes: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const rows = Number(values.rows);
  const minutes = Number(values.minutes);
  if (!Number.isSafeInteger(rows) || rows < 1) throw new RangeError('--rows must be a whole number from 1');
  if (!(minutes >= 0 && minutes < Infinity)) throw new RangeError('--minutes must be a number from 0');
  const chosen = chooseRequests(values.only);
  if (chosen.length === 0) {
    const names = hostileRequests.map(({ name }) => name).join('\n  ');
    throw new RangeError(`No request has "${values.only}" in its name. There are\n  ${names}`);
  }
  return { help: values.help, rows, chosen, minutes, json: values.json };
}

/** Returns those whose name contains this string, and all that these need, in the order of the table. */
function chooseRequests(only: string): readonly HostileRequest[] {
  const names = new Set<string>();
  // A request comes after those that it needs.
  for (const { name, needs } of hostileRequests.toReversed()) {
    if (!name.includes(only) && !names.has(name)) continue;
    for (const each of [name, ...(needs ?? [])]) names.add(each);
  }
  return hostileRequests.filter(({ name }) => names.has(name));
}
