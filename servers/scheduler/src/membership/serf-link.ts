import type { Clock } from '../clock.js';
import { parseAddress } from '../host/address.js';
import { dial } from '../host/dial.js';
import {
  openSerfConnection,
  SerfError,
  textOf,
  type SerfAnswer,
  type SerfBody,
  type SerfConnection,
} from './serf-connection.js';

export interface SerfLinkOptions {
  /** `host:port` of the RPC of a Serf agent. */
  readonly rpcAddress: string;
  readonly authKey: string | null;
  /** What this server says about itself; set on the Serf agent whenever a connection begins. */
  readonly tags: () => Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'after'>;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Told of what an operator should know: connected, lost, not reachable. */
  readonly onNotice: (notice: string, error: unknown) => void;
}

/** What is done with the connections of a link. */
export interface SerfLinkUser {
  /** The events that are asked for. */
  readonly events: readonly string[];
  readonly takeEvent: (body: SerfBody) => void;
  /** Called for each new connection before anybody else uses it. */
  readonly prepare: (connection: SerfConnection) => Promise<void>;
}

/** A connection to a Serf agent that is made again whenever it is lost. */
export interface SerfLink {
  /** Connects; the first attempt decides nothing, because the Serf agent may be starting too. */
  start(): Promise<void>;
  /** Null while there is none. */
  current(): SerfConnection | null;
  /** The name of the Serf agent's own member, empty before the first connection. */
  agentName(): string;
  close(): Promise<void>;
}

/** The port of a Serf agent's RPC. */
const defaultSerfRpcPort = 7373;
/** Milliseconds before another attempt to connect: twice as long each time, up to the most. */
const leastPause = 250;
const mostPause = 10_000;

export function createSerfLink(options: SerfLinkOptions, user: SerfLinkUser): SerfLink {
  const { clock, onNotice, random, rpcAddress } = options;
  let connection: SerfConnection | null = null;
  let agentName = '';
  let isClosed = false;
  let failures = 0;
  let cancelPause = (): void => undefined;

  async function connect(): Promise<void> {
    const socket = await dial(parseAddress(rpcAddress, defaultSerfRpcPort));
    socket.setNoDelay(true);
    const fresh = openSerfConnection(socket, clock);
    try {
      agentName = await introduce(fresh, options);
      await fresh.stream(user.events.join(','), user.takeEvent);
      await user.prepare(fresh);
    } catch (error) {
      fresh.close();
      throw error;
    }
    if (isClosed) return fresh.close();
    use(fresh);
  }

  function use(fresh: SerfConnection): void {
    connection = fresh;
    failures = 0;
    onNotice(`connected to the Serf agent ${agentName}`, null);
    void fresh.ended.then(() => {
      connection = null;
      if (isClosed) return;
      onNotice('the connection to the Serf agent is lost', null);
      tryLater();
    });
  }

  async function tryNow(): Promise<void> {
    try {
      await connect();
    } catch (error) {
      if (failures === 0) onNotice('the Serf agent cannot be reached, trying again', error);
      failures += 1;
      tryLater();
    }
  }

  function tryLater(): void {
    if (isClosed) return;
    const pause = Math.min(mostPause, leastPause * 2 ** Math.min(failures, 10));
    cancelPause = clock.after(pause * (0.5 + random() / 2), () => void tryNow());
  }

  return {
    start: tryNow,
    current: () => connection,
    agentName: () => agentName,
    async close() {
      isClosed = true;
      cancelPause();
      const last = connection;
      last?.close();
      await last?.ended;
    },
  };
}

/** Says what must be said before a connection can be used; returns the name of the agent at the other end. */
async function introduce(
  fresh: SerfConnection,
  { authKey, onNotice, tags }: SerfLinkOptions,
): Promise<string> {
  requireSuccess(await fresh.ask('handshake', { Version: 1 }, false));
  if (authKey !== null && authKey !== '') {
    requireSuccess(await fresh.ask('auth', { AuthKey: authKey }, false));
  }
  const { agent } = requireSuccess(await fresh.ask('stats', null, true)) as { readonly agent?: SerfBody };
  const tagged = await fresh.ask('tags', { Tags: tags(), DeleteTags: [] }, false);
  // The members are right without them.
  if (tagged.error !== '') onNotice('the Serf agent does not take the tags', new SerfError(tagged.error));
  return textOf(agent?.['name']);
}

/** The body of an answer. @throws SerfError with the words of a refusal. */
export function requireSuccess({ body, error }: SerfAnswer): SerfBody {
  if (error !== '') throw new SerfError(error);
  return body ?? {};
}
