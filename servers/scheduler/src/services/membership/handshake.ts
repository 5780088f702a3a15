import { createServer, type Server, type Socket } from 'node:net';

/** The handshake that an agent sends on connections to its gossip address: one line of JSON, then the end. */
export interface Handshake {
  /** The member's name. */
  readonly member: string;
  /** ID that is different for any two running agents, even if they have the same name. */
  readonly instance: string;
}

export type HandshakeLimits = Readonly<Record<keyof typeof defaultHandshakeLimits, number>>;

const defaultHandshakeLimits = Object.freeze({
  /** Maximum concurrent connections. Prevents many of them from taking all file descriptors. */
  maxConnections: 64,
  /** Timeout for an open connection, in ms. Prevents peers from keeping it open. */
  timeout: 5_000,
  /** Maximum length of a handshake, in bytes. Prevents an endless response from filling the memory. */
  maxLength: 4_096,
});

/** Creates a listener, not yet listening, that sends the handshake. */
export function createGreeter(
  handshake: Handshake,
  limits: HandshakeLimits = defaultHandshakeLimits,
): Server {
  const line = `${JSON.stringify({ gossip: 1, ...handshake })}\n`;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(limits.timeout, () => socket.destroy());
    // Input from the peer is ignored, but it must be read so that the connection can end normally.
    socket.resume();
    socket.end(line);
  });
  server.maxConnections = limits.maxConnections;
  return server;
}

/** Reads the handshake of the peer, then closes the connection. Resolves to null if the peer is not an agent. */
export function readHandshake(
  socket: Socket,
  limits: HandshakeLimits = defaultHandshakeLimits,
): Promise<Handshake | null> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (): void => {
      socket.destroy();
      resolve(parseHandshake(text));
    };
    socket.setEncoding('utf8');
    socket.setTimeout(limits.timeout, finish);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n') || text.length > limits.maxLength) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
  });
}

function parseHandshake(text: string): Handshake | null {
  try {
    const [line = ''] = text.split('\n', 1);
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return null;
    const { gossip, member, instance } = value as Readonly<Record<string, unknown>>;
    const isHandshake = gossip === 1 && typeof member === 'string' && typeof instance === 'string';
    return isHandshake ? { member, instance } : null;
  } catch {
    return null;
  }
}
