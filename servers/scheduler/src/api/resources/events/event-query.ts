import { firstParameter, type QueryParameters } from '@tamis/http';
import { compileFilter, FilterError, type Filter } from 'tamis';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import type { EventFilterOptions } from '../../../services/events/audience.js';
import type { EventParams, TopicParams } from '../../../services/events/event-params.js';
import { eventTopics, type EventTopic } from '../../../services/events/topics.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { readNamespace } from '../../kernel/query.js';

const allTopics = '*';
const allKeys = '*';
const topicFilter = 'filter.';

/**
 * Parses the event selection: one or more of `topic=Job` and `topic=Job:web`, `filter` for all topics, `filter.Job` for one,
 * `namespace`.
 *
 * @throws SchedulerError `bad-request`
 */
export function parseEventParams(parameters: QueryParameters, options: EventFilterOptions): EventParams {
  const namespace = firstParameter(parameters, 'namespace');
  const keys = parseTopics(parameters);
  checkFilterNames(parameters, keys);
  const topics = new Map<EventTopic, TopicParams>();
  for (const topic of eventTopics) {
    const requested = keys.get(topic);
    if (requested === undefined) continue;
    const own = `${topicFilter}${topic.name}`;
    const name = firstParameter(parameters, own) === '' ? 'filter' : own;
    topics.set(topic, { keys: requested, filter: parseFilter(topic, name, parameters, options) });
  }
  const params = { namespace: namespace === '*' ? '*' : readNamespace(namespace), topics };
  return { ...params, key: keyOf(params) };
}

type RequestedKeys = Map<EventTopic, ReadonlySet<string> | null>;

/** Returns the keys of each requested topic; null for all. */
function parseTopics(parameters: QueryParameters): RequestedKeys {
  const requested: RequestedKeys = new Map();
  const given = (parameters.get('topic') ?? []).filter((text) => text !== '');
  for (const text of given.length === 0 ? [allTopics] : given) {
    // A key may contain colons.
    const [, name = text, key = allKeys] = /^([^:]*):(.*)$/s.exec(text) ?? [];
    const topics = name === allTopics ? eventTopics : [topicNamed(name, `topic=${text}`)];
    for (const topic of topics) requested.set(topic, withKey(requested.get(topic), key));
  }
  return requested;
}

function withKey(known: ReadonlySet<string> | null | undefined, key: string): ReadonlySet<string> | null {
  if (key === allKeys || key === '' || known === null) return null;
  return new Set([...(known ?? []), key]);
}

function topicNamed(name: string, where: string): EventTopic {
  const found = eventTopics.find((topic) => topic.name === name);
  if (found !== undefined) return found;
  const similar = eventTopics.find(
    (topic) => topic.name.toLowerCase() === name.toLowerCase().replace(/s$/, ''),
  );
  const instead =
    similar === undefined
      ? `expected one of ${eventTopics.map((topic) => topic.name).join(', ')}, or * for all`
      : `did you mean ${similar.name}?`;
  throw badRequest(`${quote(where)}: there is no topic ${quote(name)}: ${instead}`);
}

/** A filter without a matching topic would have no effect. */
function checkFilterNames(parameters: QueryParameters, requested: RequestedKeys): void {
  for (const name of parameters.keys()) {
    if (!name.startsWith(topicFilter)) continue;
    const topic = topicNamed(name.slice(topicFilter.length), name);
    if (!requested.has(topic))
      throw badRequest(`${name}: this stream does not have the topic: add topic=${topic.name}`);
  }
}

function parseFilter(
  topic: EventTopic,
  parameter: string,
  parameters: QueryParameters,
  options: EventFilterOptions,
): Filter | null {
  const text = firstParameter(parameters, parameter);
  if (text === '') return null;
  try {
    return compileFilter(text, { ...options, schema: topic.schema });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw badRequest(`${parameter}, for topic ${topic.name}: ${error.goMessage}\n${error.frame}`);
  }
}

/** Returns equal strings for equal parameters. */
function keyOf({ namespace, topics }: Omit<EventParams, 'key'>): string {
  const requested = [...topics].map(([{ name }, { keys, filter }]) => [
    name,
    keys === null ? null : [...keys].sort(),
    filter?.source ?? '',
  ]);
  return JSON.stringify([namespace, requested]);
}

/** The largest index that can be represented exactly. */
const maxIndex = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the first index to send; 0 for all retained events, null for new ones only. A reconnecting browser sends its last
 * received index.
 *
 * @throws SchedulerError `bad-request`
 */
export function parseFirstIndex(parameters: QueryParameters, lastEventId: string): number | null {
  if (lastEventId !== '') return readIndex(lastEventId, 'Last-Event-ID') + 1;
  const text = firstParameter(parameters, 'index');
  return text === '' ? null : readIndex(text, 'index');
}

function readIndex(text: string, where: string): number {
  const index = /^\d{1,20}$/.test(text) ? BigInt(text) : null;
  if (index !== null && index < maxIndex) return Number(index);
  throw badRequest(
    `${where}: ${quote(text)} is no index: expected a whole number such as that of X-Scheduler-Index`,
  );
}
