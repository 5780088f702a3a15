import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** One field of a message: its number, and the encoding of its values. */
export interface Field<T> {
  readonly number: number;
  readonly wire: WireType;
  /** The default value; for a list, an empty one is created for each message. */
  readonly absent: T;
  /** Writes the value with its tag, unless it is the default. */
  write(writer: BinaryWriter, tag: number, value: T): void;
  /** Reads the value; a list gets one item more. */
  read(reader: BinaryReader, before: T): T;
}

/** A field of one value. */
export interface Scalar<T> extends Field<T> {
  /** Writes the value after a tag, even the default. */
  put(writer: BinaryWriter, value: T): void;
}

/** A field that is one of several, or not there at all. */
export interface Choice<T> extends Field<T | undefined> {
  readonly isChoice: true;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type Flat<T> = { [K in keyof T]: T[K] };

/** The type of messages with these fields. */
type MessageOf<F> = Flat<
  { [K in keyof F as F[K] extends Choice<unknown> ? never : K]: F[K] extends Field<infer T> ? T : never } & {
    [K in keyof F as F[K] extends Choice<unknown> ? K : never]?: F[K] extends Field<infer T> ? T : never;
  }
>;

/** A kind of messages. */
export interface Codec<T> {
  /** A message with these fields; the others are as in one that says nothing. */
  fromPartial(given: Partial<T>): T;
  readonly encode: (message: T) => Buffer;
  /** Unknown fields are skipped. @throws RangeError if the bytes end too early, or a different Error if it is not a message */
  readonly decode: (bytes: Uint8Array) => T;
  /** @internal for messages that have this one in them */
  writeTo(writer: BinaryWriter, message: T): void;
  /** @internal */
  readFrom(reader: BinaryReader, end: number): T;
}

export type MessageIn<C> = C extends Codec<infer T> ? T : never;

/** A field as the loops below see it: its type parameters were matched by {@link message}. */
interface Entry {
  readonly name: string;
  readonly tag: number;
  readonly field: Field<unknown>;
}

/** Declares a kind of messages by its fields. Their numbers and types are those of the `.proto` files, which a test holds them to. */
export function message<F extends Fields>(fields: F): Codec<MessageOf<F>> & { readonly fields: F } {
  type Message = MessageOf<F>;
  const entries: readonly Entry[] = Object.entries(fields).map(([name, field]) => ({
    name,
    tag: ((field.number << 3) | field.wire) >>> 0,
    field,
  }));
  const byTag: Entry[] = [];
  for (const entry of entries) byTag[entry.tag] = entry;
  const lists = entries.filter(({ field }) => Array.isArray(field.absent)).map(({ name }) => name);
  const silent = Object.fromEntries(entries.map(({ name, field }) => [name, field.absent]));

  function create(): Record<string, unknown> {
    const made = { ...silent };
    for (const name of lists) made[name] = [];
    return made;
  }

  const codec: Codec<Message> = {
    fromPartial: (given) => ({ ...create(), ...given }) as Message,
    encode(given) {
      const writer = new BinaryWriter();
      codec.writeTo(writer, given);
      return Buffer.from(writer.finish());
    },
    decode(bytes) {
      const reader = new BinaryReader(bytes);
      return codec.readFrom(reader, reader.len);
    },
    writeTo(writer, given) {
      const values = given as Readonly<Record<string, unknown>>;
      for (const { name, tag, field } of entries) field.write(writer, tag, values[name]);
    },
    readFrom(reader, end) {
      const made = create();
      while (reader.pos < end) {
        const tag = reader.uint32();
        const entry = byTag[tag];
        if (entry === undefined) reader.skip(tag & 7, tag >>> 3);
        else made[entry.name] = entry.field.read(reader, made[entry.name]);
      }
      return made as Message;
    },
  };
  return { ...codec, fields };
}

function scalar<T>(
  wire: WireType,
  absent: T,
  isAbsent: (value: T) => boolean,
  put: (writer: BinaryWriter, value: T) => void,
  read: (reader: BinaryReader) => T,
): (number: number) => Scalar<T> {
  const write = (writer: BinaryWriter, tag: number, value: T): void => {
    if (!isAbsent(value)) put(writer.uint32(tag), value);
  };
  return (number) => ({ number, wire, absent, put, write, read });
}

const { Varint, LengthDelimited } = WireType;
const isZero = (value: bigint): boolean => value === 0n;

export const bytes = scalar<Buffer>(
  LengthDelimited,
  Buffer.alloc(0),
  ({ length }) => length === 0,
  (writer, value) => void writer.bytes(value),
  // A copy: otherwise one value would keep the whole response in memory.
  (reader) => Buffer.from(reader.bytes()),
);
export const text = scalar<string>(
  LengthDelimited,
  '',
  (value) => value === '',
  (writer, value) => void writer.string(value),
  (reader) => reader.string(),
);
export const bool = scalar<boolean>(
  Varint,
  false,
  (value) => !value,
  (writer, value) => void writer.bool(value),
  (reader) => reader.bool(),
);
export const int64 = scalar<bigint>(
  Varint,
  0n,
  isZero,
  (writer, value) => void writer.int64(value),
  (reader) => BigInt(reader.int64()),
);
export const uint64 = scalar<bigint>(
  Varint,
  0n,
  isZero,
  (writer, value) => void writer.uint64(value),
  (reader) => BigInt(reader.uint64()),
);
export const enumeration = scalar<number>(
  Varint,
  0,
  (value) => value === 0,
  (writer, value) => void writer.int32(value),
  (reader) => reader.int32(),
);

/** A message in a message. */
export function one<T>(number: number, codec: Codec<T>): Scalar<T | undefined> {
  const put = (writer: BinaryWriter, value: T | undefined): void => {
    writer.fork();
    if (value !== undefined) codec.writeTo(writer, value);
    writer.join();
  };
  return {
    ...{ number, wire: LengthDelimited, absent: undefined, put },
    write(writer, tag, value) {
      if (value !== undefined) put(writer.uint32(tag), value);
    },
    read: (reader) => readMessage(reader, codec),
  };
}

function readMessage<T>(reader: BinaryReader, codec: Codec<T>): T {
  const length = reader.uint32();
  return codec.readFrom(reader, reader.pos + length);
}

/** Any number of messages. */
export function many<T>(number: number, codec: Codec<T>): Field<T[]> {
  return listOf<T>(one(number, codec), (reader) => readMessage(reader, codec));
}

/** Any number of strings. */
export function texts(number: number): Field<string[]> {
  return listOf<string>(text(number), (reader) => reader.string());
}

function listOf<T>(
  item: Pick<Scalar<T>, 'number' | 'wire' | 'put'>,
  read: (reader: BinaryReader) => T,
): Field<T[]> {
  return {
    ...{ number: item.number, wire: item.wire, absent: [] },
    write(writer, tag, values) {
      for (const value of values) item.put(writer.uint32(tag), value);
    },
    read(reader, before) {
      before.push(read(reader));
      return before;
    },
  };
}

/** A oneof field: written if present, even with the default value. */
export function choice<T>(field: Scalar<T>): Choice<NonNullable<T>> {
  return {
    ...{ number: field.number, wire: field.wire, absent: undefined, isChoice: true },
    write(writer, tag, value) {
      if (value !== undefined) field.put(writer.uint32(tag), value);
    },
    read: (reader) => field.read(reader, field.absent) as NonNullable<T>,
  };
}
