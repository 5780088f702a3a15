import type { FlagTable } from './command.js';

/** Flags of all commands that call an agent. */
export const clientFlags: FlagTable = {
  address: { value: 'URL', help: 'address of the agent; else SCHEDULER_ADDR, else http://127.0.0.1:4646' },
  region: { value: 'NAME', help: 'the region; else SCHEDULER_REGION', complete: 'regions' },
  namespace: {
    short: 'n',
    value: 'NAME',
    help: 'the namespace, * for all in lists; else SCHEDULER_NAMESPACE',
    complete: 'namespaces',
  },
  token: { value: 'SECRET', help: 'discouraged, everybody on this machine can read it: see SCHEDULER_TOKEN' },
  verbose: { short: 'v', help: 'whole IDs, and more of everything' },
  json: { help: 'for programs: JSON as the API has it' },
};

/** Flags of all list commands. */
export const listFlags: FlagTable = {
  filter: {
    value: 'EXPRESSION',
    mayBeginWithDash: true,
    help: 'only what fits, such as \'Status == "running"\' (scheduler help filters)',
    complete: 'filter',
  },
  sort: {
    value: 'FIELD',
    mayBeginWithDash: true,
    help: 'by this field, -FIELD for the greatest first',
    complete: 'sort',
  },
  facets: {
    value: 'FIELDS',
    repeats: true,
    help: 'how many there are, and how often each value of these fields: Status,Type',
    complete: 'sort',
  },
  limit: { value: 'N', help: 'at most so many; 0 for all. On a terminal 200, elsewhere all' },
};
