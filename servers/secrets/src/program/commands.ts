import { whyUnreachable } from '@tamis/http';
import { decodeRootToken } from '../routes/root-token.js';
import { readUnsealKey } from '../seal/seal.js';

/** Error of a failed command. The message contains the reason. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface CommandOptions {
  /** Address of the server, such as `http://127.0.0.1:8200`. */
  readonly address: string;
  readonly fetch: typeof globalThis.fetch;
  /** Omitted for requests without a token. */
  readonly token?: string;
  readonly print: (text: string) => void;
}

/** Initializes a server and prints the unseal key and the root token, which are not stored. @throws CommandError */
export async function runInit({ print, ...options }: CommandOptions): Promise<void> {
  const { keys_base64: keys, root_token: root } = await put(options, 'sys/init', {});
  const [key] = Array.isArray(keys) ? (keys as readonly unknown[]) : [];
  if (typeof key !== 'string' || typeof root !== 'string') {
    throw new CommandError('The response is not that of a secrets server');
  }
  print(`Unseal key: ${key}
Root token: ${root}

They cannot be shown again. Store the key where only operators who may start the server can read it, and the token separately.
Without the key everything in the store is lost. Next: secrets unseal --key-file FILE
`);
}

/** @throws CommandError */
export async function runUnseal({ print, ...options }: CommandOptions, given: string): Promise<void> {
  await put(options, 'sys/unseal', { key: readKey(given) });
  print('The server is unsealed.\n');
}

/** Creates a root token and prints it. @throws CommandError */
export async function runGenerateRoot({ print, ...options }: CommandOptions, given: string): Promise<void> {
  const key = readKey(given);
  const { nonce, otp } = await put(options, 'sys/generate-root/attempt', {});
  const { encoded_token: encoded } = await put(options, 'sys/generate-root/update', { key, nonce });
  const token = typeof encoded === 'string' && typeof otp === 'string' ? decodeRootToken(encoded, otp) : null;
  if (token === null) throw new CommandError('The response is not that of a secrets server');
  print(`Root token: ${token}\n`);
}

/** Creates the next unseal key and prints it. @throws CommandError */
export async function runRekey({ print, ...options }: CommandOptions, given: string): Promise<void> {
  const key = readKey(given);
  const { nonce } = await put(options, 'sys/rekey/init', {});
  const { keys_base64: keys } = await put(options, 'sys/rekey/update', { key, nonce });
  const [next] = Array.isArray(keys) ? (keys as readonly unknown[]) : [];
  if (typeof next !== 'string') throw new CommandError('The response is not that of a secrets server');
  print(`Next unseal key: ${next}

Both keys open the store until this one is confirmed. Store it, then run: secrets rekey --confirm
To discard it: secrets rekey --cancel
`);
}

/** @param given the next unseal key. @throws CommandError */
export async function runConfirmRekey({ print, ...options }: CommandOptions, given: string): Promise<void> {
  const key = readKey(given);
  const { nonce } = await sendRequest(options, 'GET', 'sys/rekey/verify');
  await put(options, 'sys/rekey/verify', { key, nonce });
  print('The previous unseal key no longer opens the store.\n');
}

/** @throws CommandError */
export async function runCancelRekey({ print, ...options }: CommandOptions): Promise<void> {
  await sendRequest(options, 'DELETE', 'sys/rekey/init');
  print('The unseal key is unchanged: the next key is discarded.\n');
}

/** @throws CommandError */
function readKey(text: string): string {
  if (readUnsealKey(text) !== null) return text.trim();
  throw new CommandError('An unseal key is 64 hex digits or 44 characters of base64');
}

type ServerReply = Readonly<Record<string, unknown>>;

const put = (options: Omit<CommandOptions, 'print'>, path: string, body: unknown): Promise<ServerReply> =>
  sendRequest(options, 'PUT', path, JSON.stringify(body));

/** Sends a request. @returns the body; empty if none exists. */
async function sendRequest(
  { address, fetch, token }: Omit<CommandOptions, 'print'>,
  method: string,
  path: string,
  body: string | null = null,
): Promise<ServerReply> {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new CommandError(`address must be a URL such as http://127.0.0.1:8200, got "${address}"`);
  let response: Response;
  try {
    response = await fetch(new URL(`/v1/${path}`, address), {
      method,
      body,
      ...(token !== undefined && { headers: { 'X-Secrets-Token': token } }),
      redirect: 'error',
    });
  } catch (error) {
    throw new CommandError(`${address} cannot be reached: ${whyUnreachable(error)}`);
  }
  if (response.status === 204) return {};
  const parsed = await response.json().then(
    (body: unknown) => (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>,
    () => {
      throw new CommandError(
        `${address} returned ${response.status}, but not in the format of a secrets server`,
      );
    },
  );
  if (response.ok) return parsed;
  const errors = Array.isArray(parsed.errors) ? parsed.errors.join('; ') : '';
  throw new CommandError(`${address} returned ${response.status}: ${errors}`);
}
