import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The bytes of an input; of one that is compressed with gzip what is in it, in pieces as they are asked for. */
export async function* unpack(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  let shouldYield = false;
  while (head.length < 2 && !shouldYield) {
    const next = await chunks.next();
    if (next.done === true) shouldYield = true;
    else head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  const whole = rejoin(head, chunks);
  yield* head[0] === 0x1f && head[1] === 0x8b ? gunzip(whole) : whole;
}

async function* rejoin(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed);
  const unzip = createGunzip();
  source.on('error', (error) => unzip.destroy(error));
  source.pipe(unzip);
  try {
    for await (const chunk of unzip as AsyncIterable<Uint8Array>) yield chunk;
  } finally {
    source.destroy();
    unzip.destroy();
  }
}
