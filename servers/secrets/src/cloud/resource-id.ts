/** The parts of a resource ID. `types` and `names` have the same length, at least 1. */
export interface ResourceId {
  readonly subscription: string;
  readonly group: string;
  readonly namespace: string;
  readonly types: readonly string[];
  readonly names: readonly string[];
}

/** Maximum length of an ID, in characters. Prevents long IDs from causing work. */
const maxIdLength = 2_048;
const segment = /^[A-Za-z0-9._()-]{1,260}$/;
const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isGuid(text: string): boolean {
  return guid.test(text);
}

/**
 * Parses `/subscriptions/{guid}/resourceGroups/{group}/providers/{namespace}/{type}/{name}`, with further pairs of type and name.
 * The fixed words may be in any case, because the cloud uses several. Returns null for anything else: comparisons and requests
 * use only the parsed parts, so nothing of the input may be outside of them.
 */
export function parseResourceId(text: string): ResourceId | null {
  if (text.length > maxIdLength || !text.startsWith('/')) return null;
  const parts = text.slice(1).split('/');
  const [subscriptions, subscription = '', groups, group = '', providers, namespace = '', ...rest] = parts;
  if (!isWord(subscriptions, 'subscriptions') || !isWord(groups, 'resourcegroups')) return null;
  if (!isWord(providers, 'providers') || !isGuid(subscription)) return null;
  if (rest.length < 2 || rest.length % 2 !== 0) return null;
  // A group name may contain letters of any script; other parts are ASCII only.
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
 * Returns the ID with the segment `providers` inserted if it is missing: callers may use the form
 * `/subscriptions/{guid}/resourceGroups/{group}/{namespace}/{type}/{name}`. The number of segments distinguishes the forms: it is
 * even with the segment, odd without it.
 */
export function withProviders(text: string): string {
  if (text.length > maxIdLength) return text;
  const [, ...parts] = text.split('/');
  const isShort = parts.length % 2 === 1 && parts.length >= 7 && !isWord(parts[4], 'providers');
  return isShort ? ['', ...parts.slice(0, 4), 'providers', ...parts.slice(4)].join('/') : text;
}

const groupName = /^[\p{L}\p{Nd}\-_.()]{0,89}[\p{L}\p{Nd}\-_()]$/u;

/** Whether a string is a valid group name: letters and digits of any script, `-_.()`, no final full stop, at most 90 characters. */
export function isGroupName(text: string): boolean {
  return groupName.test(text);
}

/**
 * Whether two names are equal for the cloud, which ignores case. They must be equal in both upper and lower case. The lower case
 * of the Kelvin sign is `k`, but the two are different names.
 */
export function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase() && left.toUpperCase() === right.toUpperCase();
}

/** Whether two IDs name the same resource. */
export function sameResource(left: ResourceId, right: ResourceId): boolean {
  const a = partsOf(left);
  const b = partsOf(right);
  return a.length === b.length && a.every((part, at) => sameName(part, b[at] ?? ''));
}

/** Returns the type with its namespace, such as `Microsoft.Compute/virtualMachines`. */
export function typeOf(id: ResourceId): string {
  return [id.namespace, ...id.types].join('/');
}

/** Returns the segments of the ID for the path of a request. */
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
