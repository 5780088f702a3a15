import { readUnsealKey } from './seal/seal.js';

/** A command that did not work. The message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface CommandOptions {
  /** Of the server, such as `http://127.0.0.1:8200`. */
  readonly address: string;
  readonly fetch: typeof globalThis.fetch;
  readonly print: (text: string) => void;
}

/** Initializes a server and prints, once, what is kept nowhere. @throws CommandError */
export async function runInit({ print, ...options }: CommandOptions): Promise<void> {
  const { keys_base64: keys, root_token: root } = await put(options, 'sys/init', {});
  const [key] = Array.isArray(keys) ? (keys as readonly unknown[]) : [];
  if (typeof key !== 'string' || typeof root !== 'string') {
    throw new CommandError('The server answered, but not as this one does');
  }
  print(`Unseal key: ${key}
Root token: ${root}

Nobody can show them again: keep the key where only those are who may start the server, and the token apart from it.
Without the key everything in the store is lost. Go on with: secrets unseal
`);
}

/** @throws CommandError */
export async function runUnseal({ print, ...options }: CommandOptions, key: string): Promise<void> {
  if (readUnsealKey(key) === null) {
    throw new CommandError('An unseal key is 64 hex digits or 44 characters of base64');
  }
  await put(options, 'sys/unseal', { key: key.trim() });
  print('The server is unsealed.\n');
}

async function put(
  { address, fetch }: Omit<CommandOptions, 'print'>,
  path: string,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  let response: Response;
  try {
    response = await fetch(new URL(`/v1/${path}`, address), {
      method: 'PUT',
      body: JSON.stringify(body),
      redirect: 'error',
    });
  } catch (error) {
    const { cause } = error as { cause?: { message?: string } };
    throw new CommandError(`${address} cannot be reached: ${cause?.message ?? String(error)}`);
  }
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  if (response.ok) return answer;
  const errors = Array.isArray(answer.errors) ? answer.errors.join('; ') : '';
  throw new CommandError(`${address} answered ${response.status}: ${errors}`);
}
