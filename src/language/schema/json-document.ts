import { ownValue } from '../values/own-property.js';

/** A value within a JSON document. `position` is a URI fragment such as `#/properties/Meta`. */
export interface Located {
  readonly value: unknown;
  readonly position: string;
}

/** Returns the member of an object or the element of an array. Its value is undefined if none exists. */
export function memberOf({ value, position }: Located, name: string): Located {
  const member = typeof value === 'object' && value !== null ? ownValue(value, name) : undefined;
  return { value: member, position: `${position}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

/** Returns the elements of an array. @throws TypeError for other values. */
export function elementsOf(located: Located): readonly Located[] {
  if (!Array.isArray(located.value)) throw new TypeError(`${located.position}: expected a list`);
  return located.value.map((value: unknown, index) => ({ value, position: `${located.position}/${index}` }));
}

/** Returns the members of an object in order; none if it is absent. @throws TypeError for other values. */
export function membersOf(located: Located): readonly (readonly [name: string, member: Located])[] {
  const { value } = located;
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${located.position}: expected an object`);
  }
  return Object.keys(value).map((name) => [name, memberOf(located, name)]);
}

/**
 * Returns the target of a reference: `#` is the document, `#/$defs/Job` a value in it (RFC 6901, section 6).
 * @throws TypeError if the reference leaves the document or has no target.
 */
export function followReference(document: unknown, { value, position }: Located): Located {
  if (typeof value !== 'string')
    throw new TypeError(`${position}: expected a reference such as "#/$defs/Job"`);
  if (value !== '#' && !value.startsWith('#/')) {
    throw new TypeError(
      `${position}: ${JSON.stringify(value)} is outside of the document; only "#/..." can be followed`,
    );
  }
  let located: Located = { value: document, position: '#' };
  for (const segment of decodeFragment(value, position).split('/').slice(1)) {
    located = memberOf(located, segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  if (located.value === undefined) throw new TypeError(`${position}: there is no ${JSON.stringify(value)}`);
  return located;
}

function decodeFragment(reference: string, position: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    throw new TypeError(`${position}: ${JSON.stringify(reference)} has a bad percent escape`);
  }
}
