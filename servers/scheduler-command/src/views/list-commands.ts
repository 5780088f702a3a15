import { listFlags } from '../client-flags.js';
import type { ClientCommand, ListName } from '../command.js';

interface ListCommand {
  readonly path: string;
  readonly list: ListName;
  readonly summary: string;
  readonly example: readonly [line: string, what: string];
}

/** A command for each list of the API. */
const lists: readonly ListCommand[] = [
  {
    path: 'job list',
    list: 'jobs',
    summary: 'jobs',
    example: ['scheduler job list --facets Status,Type', 'how many there are of each kind'],
  },
  {
    path: 'alloc list',
    list: 'allocations',
    summary: 'allocations, the newest first',
    example: ['scheduler alloc list --filter \'ClientStatus == "failed"\'', 'those that failed'],
  },
  {
    path: 'node list',
    list: 'nodes',
    summary: 'nodes',
    example: ['scheduler node list --filter \'Status != "ready"\'', 'those that are not well'],
  },
  {
    path: 'deployment list',
    list: 'deployments',
    summary: 'rollouts of jobs, the newest first',
    example: ['scheduler deployment list --filter \'Status == "failed"\'', 'those that failed'],
  },
  {
    path: 'eval list',
    list: 'evaluations',
    summary: 'evaluations, the newest first',
    example: ['scheduler eval list --filter \'Status == "blocked"\'', 'what waits for room'],
  },
  {
    path: 'namespace list',
    list: 'namespaces',
    summary: 'namespaces',
    example: ['scheduler namespace list --filter \'Name matches "^team-"\'', 'those of teams'],
  },
  {
    path: 'acl policy list',
    list: 'acl_policies',
    summary: 'policies, without their rules',
    example: ['scheduler acl policy list --sort -Name', 'backwards'],
  },
  {
    path: 'acl token list',
    list: 'acl_tokens',
    summary: 'tokens, without their secrets',
    example: ['scheduler acl token list --filter \'Type == "management"\'', 'those that may do everything'],
  },
];

export const listCommands: readonly ClientCommand[] = lists.map(({ path, list, summary, example }) => ({
  ...{ path, list, summary },
  positionals: [],
  flags: listFlags,
  about: `Lists ${summary}: those that fit a filter, in the order of a field,\nor how often which values occur (--facets).`,
  examples: [example],
  load: async () => (await import('./list-views.js')).createListCommand(list),
}));

/** Creates the command that prints a list. */
export function listCommand(path: string): ClientCommand {
  const found = listCommands.find((one) => one.path === path);
  if (found === undefined) throw new TypeError(`${path} lists nothing`);
  return found;
}
