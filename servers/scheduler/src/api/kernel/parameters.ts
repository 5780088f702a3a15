import { topicNames, type TopicName } from '../../services/events/topics.js';
import { integer, text, type JsonSchema } from './json-schema.js';

/** A query parameter, declared once for all operations that accept it. */
export interface QueryParameter {
  /** Name of the parameter, if another one already has its key. */
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

const words = (description: string) => ({ description, schema: text }) as const;
const switched = (description: string) => ({ description, schema: goBool }) as const;
const count = (description: string) => ({ description, schema: { ...integer, minimum: 0 } }) as const;

const sharedParameters = {
  region: words('Region that responds.'),
  namespace: words('Namespace, default where there is none; * for all that the caller may see.'),
  pretty: words('Indents the body, unless it is 0.'),
  stale: words('Any server may respond, also without a leader. Empty for true.'),
  index: count('Respond when the index is greater than this one.'),
  wait: { description: 'Longest time to wait; 5 minutes where there is none, 10 at most.', schema: duration },
  watch: {
    description:
      'result: with an index, respond when what the caller would get has changed, not at each write to the table.',
    schema: { ...text, enum: ['result'] },
  },
  changes: switched('With watch=result: the changes to the result instead of the page, if they are known.'),
  filter: words('Expression over the full object, not over what the list shows of it.'),
  sort: words(
    'Field that sorts the list, - before it for the reverse. Equal rows keep the order of the list.',
  ),
  per_page: count('Most items of a page; 0 for all.'),
  next_token: words('Where the page begins: X-Scheduler-Nexttoken of the page before.'),
  reverse: words('Reverses the order when it is true.'),
  prefix: words('Only items whose ID begins like this. Not together with a filter.'),
  explain: switched('Returns how the rows were found, instead of the rows.'),
  facets: words(
    'Fields between commas: how many rows match, and how often each value of these occurs in them, instead of the rows.',
  ),
  meta: switched('Shows the metadata of jobs.'),
  resources: switched('Shows resources.'),
  os: switched('Shows the operating system of nodes.'),
  task_states: switched('Shows the states of tasks; on unless it is false.'),
  job: words('Only evaluations of this job. Not together with a filter.'),
  status: words('Only evaluations with this status. Not together with a filter.'),
  all: switched('Also what an earlier job of the same ID left.'),
  related: switched('Shows the evaluations that are related to this one.'),
  purge: switched('Forgets the job instead of keeping it, stopped.'),
  global: switched('Read and without effect.'),
  no_shutdown_delay: switched(
    'The tasks of an allocation that is stopped end at once. Without effect where a job is stopped.',
  ),
  reschedule: switched('The allocation is kept as one that was placed again.'),
  eval_priority: count('Priority of the evaluation, 1 to 100.'),
  idempotency_token: words('A second dispatch with the same token finds the job of the first.'),
  address: words('Host and port; may be repeated.'),
  node: words('Full name of a member.'),
  prune: switched('Removes the member from the list.'),
  type: words('client or server; may be repeated.'),
  server_id: words('Name of the server.'),
  node_id: words('ID of the node.'),
  log_level: words('trace, debug, info, warn, error or off; info where there is none.'),
  log_json: switched('Lines as JSON.'),
  log_include_location: switched('With the file and the line.'),
  plain: switched('The bytes themselves instead of frames.'),
  task: words('Name of the task.'),
  output: {
    name: 'type',
    description: 'Output stream of the task.',
    schema: { ...text, enum: ['stdout', 'stderr'] },
  },
  follow: switched('Goes on with what is written later, until the client hangs up.'),
  path: words('Path in the directory of the allocation, such as web/local/x.'),
  limit: count('Most bytes; 0 for all.'),
  offset: count('Bytes from the origin.'),
  origin: {
    description: 'Whether the offset counts from the start or back from the end; start where there is none.',
    schema: { ...text, enum: ['start', 'end'] },
  },
  seconds: { description: 'Length of a profile or a trace; 3 where there is none.', schema: integer },
  debug: { description: '0 for the binary form, 1 or 2 for text.', schema: integer },
  gc: { description: '1 to collect garbage before a heap profile.', schema: integer },
  format: { description: 'Form of the figures.', schema: { ...text, enum: ['json', 'prometheus'] } },
  topic: words(
    'Topic, or topic and key: Job, Job:web, * for all. A key is the ID or that of the job, deployment or node. May be repeated.',
  ),
  event_index: {
    name: 'index',
    description:
      'First index that is reported; 0 for all that are buffered. What comes from now on where there is none.',
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
