import { topicNames, type TopicName } from '../../events/topics.js';
import { integer, text, type JsonSchema } from './json-schema.js';

/** A parameter of the query, declared once for all operations that take it. */
export interface QueryParameter {
  /** What it is called where others call something else so. */
  readonly name?: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

const duration: JsonSchema = { ...text, description: 'such as 10s, 1m30s or 250ms' };
const goBool: JsonSchema = {
  ...text,
  enum: ['true', 'false', '1', '0', 't', 'f', 'T', 'F', 'TRUE', 'FALSE'],
};

/** The parameter that filters one topic of a stream. */
type TopicFilterParameter = `filter.${TopicName}`;

export const topicFilterParameters = topicNames.map((name): TopicFilterParameter => `filter.${name}`);

const sharedParameters = {
  region: { description: 'Region that answers.', schema: text },
  namespace: {
    description: 'Namespace, default where there is none; * for all that the caller may see.',
    schema: text,
  },
  pretty: { description: 'Indents the body, unless it is 0.', schema: text },
  stale: { description: 'Any server may answer, also without a leader. Empty for true.', schema: text },
  index: {
    description: 'Answer when the index is greater than this one.',
    schema: { ...integer, minimum: 0 },
  },
  wait: { description: 'Longest time to wait; 5 minutes where there is none, 10 at most.', schema: duration },
  watch: {
    description:
      'result: with an index, answer when what the caller would get has changed, not at each write to the table.',
    schema: { ...text, enum: ['result'] },
  },
  changes: {
    description: 'With watch=result: what has come to the result in place of the page, where that is known.',
    schema: goBool,
  },
  filter: {
    description: 'Expression over the full object, not over what the list shows of it.',
    schema: text,
  },
  sort: {
    description:
      'Field that sorts the list, - before it for the reverse. What is equal there stands in the own order of the list.',
    schema: text,
  },
  per_page: { description: 'Most items of a page; 0 for all.', schema: { ...integer, minimum: 0 } },
  next_token: {
    description: 'Where the page begins: X-Scheduler-Nexttoken of the page before.',
    schema: text,
  },
  reverse: { description: 'Reverses the order when it is true.', schema: text },
  prefix: { description: 'Only items whose ID begins like this. Not together with a filter.', schema: text },
  explain: { description: 'Tells how the rows were found, in place of the rows.', schema: goBool },
  facets: {
    description:
      'Fields between commas: how many rows match, and how often each value of these occurs in them, in place of the rows.',
    schema: text,
  },
  meta: { description: 'Shows the metadata of jobs.', schema: goBool },
  resources: { description: 'Shows resources.', schema: goBool },
  os: { description: 'Shows the operating system of nodes.', schema: goBool },
  task_states: { description: 'Shows the states of tasks; on unless it is false.', schema: goBool },
  job: { description: 'Only evaluations of this job. Not together with a filter.', schema: text },
  status: { description: 'Only evaluations with this status. Not together with a filter.', schema: text },
  all: { description: 'Also what an earlier job of the same ID left behind.', schema: goBool },
  related: { description: 'Shows the evaluations that are related to this one.', schema: goBool },
  purge: { description: 'Forgets the job instead of keeping it, stopped.', schema: goBool },
  global: { description: 'Read and without effect.', schema: goBool },
  no_shutdown_delay: {
    description:
      'The tasks of an allocation that is stopped end at once. Without effect where a job is stopped.',
    schema: goBool,
  },
  reschedule: { description: 'The allocation is kept as one that was placed again.', schema: goBool },
  eval_priority: { description: 'Priority of the evaluation, 1 to 100.', schema: { ...integer, minimum: 0 } },
  idempotency_token: {
    description: 'A second dispatch with the same token finds the job of the first.',
    schema: text,
  },
  address: { description: 'Host and port; may be repeated.', schema: text },
  node: { description: 'Full name of a member.', schema: text },
  prune: { description: 'Removes the member from the list.', schema: goBool },
  type: { description: 'client or server; may be repeated.', schema: text },
  server_id: { description: 'Name of the server that is asked.', schema: text },
  node_id: { description: 'ID of the node that is asked.', schema: text },
  log_level: {
    description: 'trace, debug, info, warn, error or off; info where there is none.',
    schema: text,
  },
  log_json: { description: 'Lines as JSON.', schema: goBool },
  log_include_location: { description: 'With the file and the line.', schema: goBool },
  plain: { description: 'The bytes themselves in place of frames.', schema: goBool },
  task: { description: 'Name of the task.', schema: text },
  output: {
    name: 'type',
    description: 'Output stream of the task.',
    schema: { ...text, enum: ['stdout', 'stderr'] },
  },
  follow: { description: 'Goes on with what is written later, until the client hangs up.', schema: goBool },
  path: { description: 'Path in the directory of the allocation, such as web/local/x.', schema: text },
  limit: { description: 'Most bytes; 0 for all.', schema: { ...integer, minimum: 0 } },
  offset: { description: 'Bytes from the origin.', schema: { ...integer, minimum: 0 } },
  origin: {
    description: 'Whether the offset counts from the start or back from the end; start where there is none.',
    schema: { ...text, enum: ['start', 'end'] },
  },
  seconds: { description: 'Length of a profile or a trace; 3 where there is none.', schema: integer },
  debug: { description: '0 for the binary form, 1 or 2 for text.', schema: integer },
  gc: { description: '1 to collect garbage before a heap profile.', schema: integer },
  format: { description: 'Form of the figures.', schema: { ...text, enum: ['json', 'prometheus'] } },
  topic: {
    description:
      'Topic, or topic and key: Job, Job:web, * for all. A key is the ID or that of the job, deployment or node. May be repeated.',
    schema: text,
  },
  event_index: {
    name: 'index',
    description:
      'First index that is told; 0 for all that is held. What comes from now on where there is none.',
    schema: { ...integer, minimum: 0 },
  },
} as const satisfies Readonly<Record<string, QueryParameter>>;

export type ParameterName = keyof typeof sharedParameters | TopicFilterParameter;

export const queryParameters: Readonly<Record<ParameterName, QueryParameter>> = {
  ...sharedParameters,
  ...(Object.fromEntries(
    topicFilterParameters.map((name) => [
      name,
      { description: 'The same for the objects of one topic.', schema: text },
    ]),
  ) as Record<TopicFilterParameter, QueryParameter>),
};
