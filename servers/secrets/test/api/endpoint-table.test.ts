import { describe, expect, it } from 'vitest';
import {
  createRouter,
  endpointOf,
  isOpen,
  type Endpoint,
  type EndpointRow,
} from '../../src/api/endpoint-table.js';
import type { SecretsError } from '../../src/base/errors.js';

const endpoint = (capability: Endpoint['capability']): Endpoint => ({
  capability,
  handle: async () => undefined,
});
const row = (path: string, operations: EndpointRow['operations'] = {}): EndpointRow => ({ path, operations });

const items = row('items/?', { list: endpoint('list') });
const item = row('items/:name', { read: endpoint('read') });
const plain: EndpointRow = { path: 'plain/:name', isName: (text) => /^\w+$/.test(text), operations: {} };
const door = row('door', { write: endpoint(null), read: endpoint('read') });
const inner = row('x');

const router = createRouter([
  { prefix: 'a/', rows: [items, item, plain, door] },
  { prefix: 'a/deeper/', rows: [inner] },
]);

describe('a router', () => {
  it.each<[path: string, found: EndpointRow | null, name: string]>([
    ['a/items', items, ''],
    ['a/items/', items, ''],
    ['a/items/one', item, 'one'],
    ['a/items/One two', item, 'One two'],
    ['a/items/one/two', null, ''],
    ['a/items/one/', null, ''],
    ['a/plain/one', plain, 'one'],
    ['a/plain/one-two', null, ''],
    ['a/door', door, ''],
    ['a/door/', null, ''],
    ['a/doors', null, ''],
    ['a/', null, ''],
    // The longest prefix takes it, whatever the shorter one has.
    ['a/deeper/x', inner, ''],
    ['a/deeper/door', null, ''],
  ])('leads %j to its row', (path, found, name) => {
    expect(router(path)).toEqual({ row: found, name });
  });

  it.each(['', 'a', 'A/door', 'b/door', ' a/door'])('knows no mount at %j', (path) => {
    expect(router(path)).toBeNull();
  });

  it('lists the endpoints without authentication', () => {
    expect(['a/door', 'a/items', 'a/nothing'].map((path) => isOpen(router(path)!))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['a/nothing', 'unsupported-path'],
    ['a/items', 'unsupported-operation'],
  ] as const)('refuses to read %s', (path, code) => {
    const refusal = expect.objectContaining({ code }) as SecretsError;
    expect(() => endpointOf(router(path)!, 'read')).toThrow(refusal);
  });
});
