import { createServer, type Server, type Socket } from 'node:net';

/** The handshake that an agent sends on connections to its gossip address: one line of JSON, then the end. */
export interface Handshake {
  /** The member's name. */
  readonly member: string;
  /** Differs between any two agents that run, even of one name. */
  readonly instance: string;
}

export interface HandshakeLimits {
  /** Connections at a time. Stops a flood of them from taking all file descriptors. */
  readonly maxConnections: number;
  /** Milliseconds that a connection may stay open. Stops others from holding it. */
  readonly timeout: number;
  /** Maximum length of a handshake, in bytes. Prevents an endless response from filling the memory. */
  readonly maxLength: number;
}

const defaultHandshakeLimits: HandshakeLimits = Object.freeze({
  maxConnections: 64,
  timeout: 5_000,
  maxLength: 4_096,
});

/** A listener, not yet listening, that greets. */
export function createGreeter(
  handshake: Handshake,
  limits: HandshakeLimits = defaultHandshakeLimits,
): Server {
  const line = `${JSON.stringify({ gossip: 1, ...handshake })}\n`;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(limits.timeout, () => socket.destroy());
    // Input from the peer is ignored, but must be read so that the connection ends normally.
    socket.resume();
    socket.end(line);
  });
  server.maxConnections = limits.maxConnections;
  return server;
}

/** Reads the greeting of the other side; null for something that is no agent. Closes the connection. */
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
