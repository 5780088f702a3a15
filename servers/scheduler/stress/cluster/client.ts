import { Agent, request, type IncomingMessage } from 'node:http';

/** A server, by its address. */
export interface Addressed {
  readonly name: string;
  /** Such as `http://127.0.0.1:4646`. */
  readonly address: string;
}

export interface StressResponse {
  readonly status: number;
  /** X-Scheduler-Index; NaN if there is none. */
  readonly index: number;
  /** Milliseconds of X-Scheduler-LastContact. */
  readonly lastContact: number;
  readonly knownLeader: boolean;
  readonly text: string;
}

/** There was no response. */
export class NoResponseError extends Error {
  override readonly name = 'NoAnswerError';
  /** False if there was no connection. */
  readonly wasSent: boolean;

  constructor(message: string, wasSent: boolean) {
    super(message);
    this.wasSent = wasSent;
  }
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly token?: string;
  /** Timeout for a response, in ms; default: 30,000. */
  readonly timeoutMs?: number;
}

const maxTimeoutMs = 30_000;
const connections = new Agent({ keepAlive: true });

/** Sends one request to a server. @throws NoAnswerError */
export function send(
  { name, address }: Addressed,
  path: string,
  { method = 'GET', headers: given = {}, body, token, timeoutMs = maxTimeoutMs }: RequestOptions = {},
): Promise<StressResponse> {
  return new Promise((resolve, reject) => {
    const headers = { ...given, ...(token === undefined ? {} : { 'x-scheduler-token': token }) };
    const sent = request(`${address}${path}`, { agent: connections, method, headers }, (response) => {
      readResponse(response, resolve, lost);
    });
    const timer = setTimeout(() => sent.destroy(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
    sent.on('close', () => clearTimeout(timer)).on('error', lost);
    sent.end(body === undefined ? '' : JSON.stringify(body));

    function lost(error: NodeJS.ErrnoException): void {
      reject(
        new NoResponseError(`${method} ${path} on ${name}: ${error.message}`, error.code !== 'ECONNREFUSED'),
      );
    }
  });
}

function readResponse(
  response: IncomingMessage,
  resolve: (response: StressResponse) => void,
  lost: (error: Error) => void,
): void {
  const { headers, statusCode = 0 } = response;
  let text = '';
  response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  response.on('error', lost);
  response.on('end', () =>
    resolve({
      status: statusCode,
      index: Number(headers['x-scheduler-index'] ?? NaN),
      lastContact: Number(headers['x-scheduler-lastcontact'] ?? NaN),
      knownLeader: headers['x-scheduler-knownleader'] === 'true',
      text,
    }),
  );
}

/** Returns the body of a response with status 200. @throws Error for other statuses. */
export async function fetchJson<T>(server: Addressed, path: string, options?: RequestOptions): Promise<T> {
  const { status, text } = await send(server, path, options);
  if (status !== 200) throw new Error(`${path} on ${server.name} returned ${status}: ${text}`);
  return JSON.parse(text) as T;
}
