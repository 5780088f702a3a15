import { listFlags } from '../client-flags.js';
import type { ClientCommand } from '../command.js';
import { listCommand } from '../views/list-commands.js';

const job = { name: 'JOB', help: 'the ID of a job', complete: 'jobs' } as const;
const file = {
  name: 'FILE',
  help: 'a job in HCL or JSON, - for standard input',
  complete: 'files',
} as const;

const watching =
  'Without --detach it waits and reports which allocations are placed and where, which are healthy, and why not.\n' +
  'Batch work is watched until it has ended. Ctrl-C ends the watching, not the job. It ends with 2 when the deployment or\n' +
  'the work fails, or when not all of the job found a place; with 0 when all is well, when nothing has to run now\n' +
  '(periodic, parameterised), and when canaries are healthy and wait to be promoted.';
const detach = { help: 'do not wait for what comes of it' };

export const jobCommands: readonly ClientCommand[] = [
  listCommand('job list'),
  {
    path: 'job run',
    summary: 'register a job, and watch it until it runs, or has ended',
    positionals: [file],
    flags: {
      detach,
      'check-index': {
        value: 'N',
        help: 'only if the job has not changed since this index, which job plan prints; 0: is new',
      },
      'preserve-counts': { help: 'the counts of groups stay as they are now' },
      output: { help: 'write the job as JSON, as the API takes it, and register nothing' },
    },
    about: `Registers the job in FILE, or a new version of it.\n${watching}`,
    examples: [
      ['scheduler job run examples/jobs/web.hcl', 'and watch'],
      ['scheduler job run --detach web.json', 'only register it'],
      ['scheduler job run --output web.hcl | jq .Job', 'the same job as JSON'],
    ],
    load: async () => (await import('./job-run.js')).runJob,
  },
  {
    path: 'job plan',
    summary: 'show what running a job would change',
    positionals: [file],
    flags: { 'no-diff': { help: 'without the differences from the job that is there' } },
    about:
      'Prints the differences from the registered job, what would be placed, changed and stopped, and what would find\n' +
      'no place. Nothing changes. Exits with 2 if some of it cannot be placed.',
    examples: [['scheduler job plan web.hcl', 'what would happen']],
    load: async () => (await import('./job-plan.js')).planJob,
  },
  {
    path: 'job validate',
    summary: 'report what is wrong with a job',
    positionals: [file],
    about: 'Reads the job and has it looked at by a server. Ends with 1 where something is wrong.',
    examples: [['scheduler job validate web.hcl', 'every mistake at once']],
    load: async () => (await import('./job-validate.js')).validateJob,
  },
  {
    path: 'job status',
    summary: 'jobs; or one of them with all that belongs to it',
    positionals: [{ ...job, isOptional: true }],
    flags: listFlags,
    about:
      'Lists jobs, or shows one: what of it runs where, its rollout, and what found no place. The beginning of an ID will do.',
    examples: [
      ['scheduler job status --filter \'Status == "running"\'', 'those that run'],
      ['scheduler job status --sort -SubmitTime', 'the newest first'],
      ['scheduler job status web', 'one job'],
    ],
    list: 'jobs',
    load: async () => (await import('./job-status.js')).printJobs,
  },
  {
    path: 'job history',
    summary: 'the versions of a job that are kept',
    positionals: [job],
    flags: { diff: { short: 'p', help: 'with what each version changes' } },
    about:
      'Lists the versions of a job, the newest first. A stable one is one that a failed rollout may return to.',
    examples: [
      ['scheduler job history web', 'the versions'],
      ['scheduler job history -p web', 'and their differences'],
    ],
    load: async () => (await import('./job-history.js')).printHistory,
  },
  {
    path: 'job inspect',
    summary: 'a job as JSON, as the API has it',
    positionals: [job],
    flags: { version: { value: 'N', help: 'an earlier version' } },
    about: 'Writes the whole job as {"Job": ...}, which scheduler job run takes too.',
    examples: [['scheduler job inspect web > web.json', 'to edit and run again']],
    load: async () => (await import('./job-inspect.js')).inspectJob,
  },
  {
    path: 'job stop',
    summary: 'stop a job',
    positionals: [job],
    flags: { purge: { help: 'forget it, with its versions' }, detach },
    about:
      'Stops all of a job; its ID has to be whole. A stopped job stays listed until it is purged, and job run starts it again.',
    examples: [
      ['scheduler job stop web', 'it can be started again'],
      ['scheduler job stop --purge web', 'it is gone'],
    ],
    load: async () => (await import('./job-writes.js')).stopJob,
  },
  {
    path: 'job revert',
    summary: 'return a job to one of its versions',
    positionals: [job, { name: 'VERSION', help: 'a number that scheduler job history prints' }],
    flags: { detach },
    about: `Makes an earlier version the newest one. The ID of the job has to be whole.\n${watching}`,
    examples: [['scheduler job revert web 3', 'what version 3 was, as a new version']],
    load: async () => (await import('./job-writes.js')).revertJob,
  },
  {
    path: 'job scale',
    summary: 'give a group of a job another count',
    positionals: [
      job,
      { name: 'GROUP|COUNT', help: 'one of its groups, or the count where it has one group' },
      { name: 'COUNT', help: 'how many there are to be', isOptional: true },
    ],
    flags: { message: { value: 'TEXT', help: 'why; kept with the event' }, detach },
    about: `Changes the count of a group, within the bounds of its scaling block. The ID of the job has to be whole.\n${watching}`,
    examples: [
      ['scheduler job scale web 5', 'of its one group'],
      ['scheduler job scale web api 5', 'of the group api'],
    ],
    load: async () => (await import('./job-writes.js')).scaleJob,
  },
  {
    path: 'job restart',
    summary: 'start the tasks of a job again, where they are',
    positionals: [job],
    flags: {
      group: { value: 'NAME', help: 'only this group' },
      task: { value: 'NAME', help: 'only this task' },
    },
    about:
      'Ends the tasks of all allocations that run and starts them again on the same nodes, one allocation after the other.\n' +
      'The ID of the job has to be whole. Exits with 1 if some objects could not be read.',
    examples: [['scheduler job restart --group api web', 'one group']],
    load: async () => (await import('./job-writes.js')).restartJob,
  },
  {
    path: 'job periodic force',
    summary: 'launch a periodic job now',
    positionals: [job],
    flags: { detach },
    about: `Launches a periodic job outside its timetable.\n${watching}`,
    examples: [['scheduler job periodic force backup', 'not only at night']],
    load: async () => (await import('./job-writes.js')).forceJob,
  },
  {
    path: 'job dispatch',
    summary: 'start a parameterised job',
    positionals: [
      job,
      { name: 'PAYLOAD', help: 'a file, - for standard input', isOptional: true, complete: 'files' },
    ],
    flags: {
      meta: { value: 'KEY=VALUE', repeats: true, help: 'an argument' },
      'idempotency-token': {
        value: 'TEXT',
        help: 'a second dispatch with the same finds the job of the first',
      },
      detach,
    },
    about: `Starts a job of its own from a parameterised one.\n${watching}`,
    examples: [['scheduler job dispatch resize --meta size=200 photo.jpg', 'with an argument and a payload']],
    load: async () => (await import('./job-writes.js')).dispatchJob,
  },
];
