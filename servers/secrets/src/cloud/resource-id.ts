/** A resource of a cloud by its parts. `types` and `names` run side by side and have one entry at least. */
export interface ResourceId {
  readonly subscription: string;
  readonly group: string;
  readonly namespace: string;
  readonly types: readonly string[];
  readonly names: readonly string[];
}

/** Longest text that is looked at. Stops an endless id from costing more than the request that brings it. */
const maxIdLength = 2_048;
const segment = /^[A-Za-z0-9._()-]{1,260}$/;
const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isGuid(text: string): boolean {
  return guid.test(text);
}

/**
 * Reads `/subscriptions/{guid}/resourceGroups/{group}/providers/{namespace}/{type}/{name}`, with further pairs of type and name.
 * The fixed words match in any case, as the cloud writes them both ways. Null for everything else: comparisons and requests are
 * made of these parts, so nothing may hide between them.
 */
export function parseResourceId(text: string): ResourceId | null {
  if (text.length > maxIdLength || !text.startsWith('/')) return null;
  const parts = text.slice(1).split('/');
  const [subscriptions, subscription = '', groups, group = '', providers, namespace = '', ...rest] = parts;
  if (!isWord(subscriptions, 'subscriptions') || !isWord(groups, 'resourcegroups')) return null;
  if (!isWord(providers, 'providers') || !isGuid(subscription)) return null;
  if (rest.length < 2 || rest.length % 2 !== 0) return null;
  // Group names may hold letters of any script; the other parts are plain.
  if (!isGroupName(group) || ![namespace, ...rest].every(isSegment)) return null;
  return {
    subscription,
    group,
    namespace,
    types: rest.filter((_, at) => at % 2 === 0),
    names: rest.filter((_, at) => at % 2 === 1),
  };
}

/**
 * The id with the word `providers` where it was left out: callers may write the form
 * `/subscriptions/{guid}/resourceGroups/{group}/{namespace}/{type}/{name}`. Which of the two it is, is the same for
 * every reader: with the word the number of parts is even, without it odd.
 */
export function withProviders(text: string): string {
  if (text.length > maxIdLength) return text;
  const [, ...parts] = text.split('/');
  const isShort = parts.length % 2 === 1 && parts.length >= 7 && !isWord(parts[4], 'providers');
  return isShort ? ['', ...parts.slice(0, 4), 'providers', ...parts.slice(4)].join('/') : text;
}

const groupName = /^[\p{L}\p{Nd}\-_.()]{0,89}[\p{L}\p{Nd}\-_()]$/u;

/** Letters and digits of any script, `-_.()`, no full stop at the end, at most 90 characters. */
export function isGroupName(text: string): boolean {
  return groupName.test(text);
}

/**
 * Whether two names mean the same to the cloud, which ignores case. Whole names: `web` is not `web-2`. They must agree in both
 * cases: the Kelvin sign has a `k` for its small letter and is another letter all the same, and a group with that name belongs to
 * another tenant.
 */
export function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase() && left.toUpperCase() === right.toUpperCase();
}

/** Whether two ids name the same resource, part for part. */
export function sameResource(left: ResourceId, right: ResourceId): boolean {
  const a = partsOf(left);
  const b = partsOf(right);
  return a.length === b.length && a.every((part, at) => sameName(part, b[at] ?? ''));
}

/** The type with its namespace, such as `Microsoft.Compute/virtualMachines`. */
export function typeOf(id: ResourceId): string {
  return [id.namespace, ...id.types].join('/');
}

/** The id as path segments, for a request. */
export function segmentsOf(id: ResourceId): readonly string[] {
  const pairs = id.types.flatMap((type, at) => [type, id.names[at] ?? '']);
  return ['subscriptions', id.subscription, 'resourceGroups', id.group, 'providers', id.namespace, ...pairs];
}

function partsOf(id: ResourceId): readonly string[] {
  return [id.subscription, id.group, id.namespace, ...id.types, ...id.names];
}

function isWord(text: string | undefined, word: string): boolean {
  return text !== undefined && sameName(text, word);
}

function isSegment(text: string): boolean {
  return segment.test(text) && text !== '.' && text !== '..';
}
