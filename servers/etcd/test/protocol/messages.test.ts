import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import type { Codec } from '../../src/protocol/codec.js';
import * as messages from '../../src/protocol/messages.js';

/** The protocol as etcd itself describes it. */
const root = new protobuf.Root();
for (const file of ['mvcc/mvccpb/kv.proto', 'etcdserver/etcdserverpb/rpc.proto'])
  protobuf.parse(readFileSync(new URL(`../../proto/etcd/${file}`, import.meta.url), 'utf8'), root);

type Message = Readonly<Record<string, unknown>>;
type DeclaredCodec = Codec<Message> & { readonly fields: Readonly<Record<string, unknown>> };

const codecs = Object.entries(messages).flatMap(([name, each]) =>
  'fields' in each ? [[name, each as unknown as DeclaredCodec] as const] : [],
);

const described = (name: string): protobuf.Type => {
  const inPackage = ['KeyValue', 'Event'].includes(name) ? 'mvccpb' : 'etcdserverpb';
  const type = root.lookupType(`${inPackage}.${name}`);
  for (const field of type.fieldsArray) field.resolve();
  return type;
};

const fieldOf = (type: protobuf.Type, name: string): protobuf.Field | undefined =>
  type.fieldsArray.find((field) => protobuf.util.camelCase(field.name) === name || field.name === name);

/** Values of a field, as both sides write them. */
function valuesOf(field: protobuf.Field, depth: number): fc.Arbitrary<unknown> {
  const one = ((): fc.Arbitrary<unknown> => {
    if (field.resolvedType instanceof protobuf.Enum)
      return fc.constantFrom(...Object.values(field.resolvedType.values));
    if (field.resolvedType instanceof protobuf.Type) return messagesOf(field.resolvedType.name, depth - 1);
    switch (field.type) {
      case 'bytes':
        return fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
      case 'string':
        return fc.string({ maxLength: 10, unit: 'grapheme' });
      case 'bool':
        return fc.boolean();
      case 'uint64':
        return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
      case 'int64':
        return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
      default:
        throw new TypeError(`${field.fullName} is a ${field.type}`);
    }
  })();
  return field.repeated ? fc.array(one, { maxLength: 3 }) : one;
}

function messagesOf(name: string, depth: number): fc.Arbitrary<Message> {
  const type = described(name);
  const codec = codecs.find(([known]) => known === name)?.[1];
  if (codec === undefined) throw new TypeError(`${name} is not declared`);
  const fields = Object.keys(codec.fields).flatMap((each) => {
    const field = fieldOf(type, each);
    const isDeep = field?.resolve().resolvedType instanceof protobuf.Type && depth === 0;
    return field === undefined || isDeep ? [] : [[each, field] as const];
  });
  const chosen = fields.filter(([, field]) => field.partOf !== null);
  const plain = fields.filter(([, field]) => field.partOf === null);
  const values = (some: typeof fields): fc.Arbitrary<Message> =>
    fc.record(Object.fromEntries(some.map(([each, field]) => [each, valuesOf(field, depth)])), {
      requiredKeys: [],
    });
  const choice = chosen.length === 0 ? fc.constant({}) : fc.oneof(...chosen.map((each) => values([each])));
  return fc.tuple(values(plain), choice).map(([a, b]) => codec.fromPartial({ ...a, ...b }));
}

/** What a message says, in one form for both sides: without what it leaves out, numbers as texts. */
function said(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (value instanceof protobuf.util.Long) return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== 'object' || value === null) return value;
  const all = Object.entries(value).map(([name, each]) => [name, said(each)] as const);
  return Object.fromEntries(all.filter(([, each]) => !isNothing(each)));
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === '' || value === false || value === '0';
}

describe.each(codecs)('the message %s', (name, codec) => {
  const type = described(name);

  it('has no field that etcd does not know', () => {
    expect(Object.keys(codec.fields).filter((each) => fieldOf(type, each) === undefined)).toEqual([]);
  });

  it('is written and read as etcd describes it', () => {
    fc.assert(
      fc.property(messagesOf(name, 3), (message) => {
        const bytes = codec.encode(message);
        const theirs = type.decode(bytes);
        expect(said(type.toObject(theirs))).toEqual(said(message));
        expect(said(codec.decode(type.encode(theirs).finish()))).toEqual(said(message));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a message', () => {
  it('passes over what it does not know, and copies what it holds', () => {
    const bytes = root
      .lookupType('etcdserverpb.RangeRequest')
      .encode({ key: Buffer.from('k'), sortOrder: 2, minModRevision: 7 })
      .finish();
    const { key, limit } = messages.RangeRequest.decode(bytes);
    bytes.fill(0);
    expect([key.toString(), limit]).toEqual(['k', 0n]);
  });

  it('is rejected if its bytes are truncated or malformed', () => {
    const whole = messages.RangeResponse.encode(
      messages.RangeResponse.fromPartial({
        kvs: [messages.KeyValue.fromPartial({ key: Buffer.from('key'), value: Buffer.alloc(100) })],
      }),
    );
    for (let length = 1; length < whole.length; length += 1)
      expect(() => messages.RangeResponse.decode(whole.subarray(0, length))).toThrow();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          messages.WatchResponse.decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});
