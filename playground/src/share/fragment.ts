import { LinkError, readSharedState, type SharedState } from './shared-state.js';

/** Longest fragment that is written: what chats and mail programs still pass on. With rows it may be longer. */
export const maxFragmentLength = 16_000;
export const maxFragmentLengthWithRows = 64_000;
/** Most bytes that a fragment is unpacked to. Stops a small link from filling the memory. */
const maxUnpackedBytes = 2_000_000;
/** Most characters of rows that are tried: of more, nothing that fits is left. */
export const maxSharedCharacters = maxUnpackedBytes / 4;

/** The first characters of a fragment: another form would begin otherwise. */
const mark = 'v1.';

/** The fragment of a link, without `#`; null where it would be too long. */
export async function writeFragment(state: SharedState): Promise<string | null> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await pass(bytes, new CompressionStream('deflate-raw'));
  const fragment = mark + encode(packed);
  return fragment.length > (state.rows === null ? maxFragmentLength : maxFragmentLengthWithRows)
    ? null
    : fragment;
}

/** The content of a fragment; null for an unrelated one. @throws LinkError if it is invalid. */
export async function readFragment(fragment: string): Promise<SharedState | null> {
  if (!fragment.startsWith(mark)) return null;
  if (fragment.length > maxFragmentLengthWithRows) throw new LinkError('it is too long');
  const bytes = decode(fragment.slice(mark.length));
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(await pass(bytes, new DecompressionStream('deflate-raw'))));
  } catch (error) {
    throw error instanceof LinkError ? error : new LinkError('it is damaged');
  }
  return readSharedState(value);
}

/** Bytes as they come out of a stream that they are put through. @throws LinkError where they become too many. */
async function pass(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    length += value.length;
    if (length > maxUnpackedBytes) {
      await reader.cancel();
      throw new LinkError(`it unpacks to more than ${maxUnpackedBytes} bytes`);
    }
    chunks.push(value);
  }
}

/** Base64 in the characters that an address takes as they are. */
function encode(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @throws LinkError for what `encode` has not written. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw new LinkError('it is damaged');
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
      sign.charCodeAt(0),
    );
  } catch {
    throw new LinkError('it is damaged');
  }
}
