import { createBackoff } from '@tamis/scheduler-model/base/backoff.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { parseAddress } from '@tamis/scheduler-model/host/address.js';
import { dial } from '@tamis/scheduler-model/host/dial.js';
import { createPersistentConnection } from '@tamis/scheduler-model/host/persistent-connection.js';
import {
  openSerfConnection,
  SerfError,
  textOf,
  type SerfResponse,
  type SerfBody,
  type SerfConnection,
} from './serf-connection.js';

export interface SerfLinkOptions {
  /** `host:port` of the RPC of a Serf agent. */
  readonly rpcAddress: string;
  readonly authKey: string | null;
  /** Returns the tags of this server, set on the Serf agent for each new connection. */
  readonly tags: () => Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'after'>;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Called with notices for the operator: connected, lost, unreachable. */
  readonly onNotice: (notice: string, error: unknown) => void;
}

/** The user of a link: it prepares new connections and receives the events. */
export interface SerfLinkUser {
  /** The subscribed events. */
  readonly events: readonly string[];
  readonly takeEvent: (body: SerfBody) => void;
  /** Called for each new connection before it is used otherwise. */
  readonly prepare: (connection: SerfConnection) => Promise<void>;
}

/** Default port of a Serf agent's RPC endpoint. */
const defaultSerfRpcPort = 7373;
/** Delays between attempts to connect, in ms. */
const pauses = { min: 250, max: 10_000 } as const;

/** A connection to a Serf agent that is re-established whenever it is lost. */
export function createSerfLink(options: SerfLinkOptions, user: SerfLinkUser) {
  const { clock, onNotice, random } = options;
  let agentName = '';
  const connection = createPersistentConnection({
    async connect() {
      const opened = await openLink(options, user);
      ({ agentName } = opened);
      return opened.connection;
    },
    clock,
    backoff: createBackoff({ ...pauses, random }),
    connected: () => onNotice(`connected to the Serf agent ${agentName}`, null),
    lost: () => onNotice('the connection to the Serf agent is lost', null),
    failed(error, isFirst) {
      if (isFirst) onNotice('the Serf agent cannot be reached, trying again', error);
    },
  });
  return {
    /** Connects. A failed first attempt is not an error, because the Serf agent may be starting too. */
    start: connection.start,
    /** Returns the connection; null while disconnected. */
    current: connection.current,
    /** Returns the name of the Serf agent's own member; empty before the first connection. */
    agentName: (): string => agentName,
    close: connection.close,
  };
}

async function openLink(
  options: SerfLinkOptions,
  { events, prepare, takeEvent }: SerfLinkUser,
): Promise<{ readonly connection: SerfConnection; readonly agentName: string }> {
  const socket = await dial(parseAddress(options.rpcAddress, defaultSerfRpcPort));
  socket.setNoDelay(true);
  const connection = openSerfConnection(socket, options.clock);
  try {
    const agentName = await introduce(connection, options);
    await connection.stream(events.join(','), takeEvent);
    await prepare(connection);
    return { connection, agentName };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Performs the handshake of a new connection. Returns the name of the agent. */
async function introduce(
  fresh: SerfConnection,
  { authKey, onNotice, tags }: SerfLinkOptions,
): Promise<string> {
  requireSuccess(await fresh.call('handshake', { Version: 1 }, false));
  if (authKey !== null && authKey !== '') {
    requireSuccess(await fresh.call('auth', { AuthKey: authKey }, false));
  }
  const { agent } = requireSuccess(await fresh.call('stats', null, true)) as { readonly agent?: SerfBody };
  const tagged = await fresh.call('tags', { Tags: tags(), DeleteTags: [] }, false);
  // Continues after a refusal of the tags, because the list of members is correct without them.
  if (tagged.error !== '') onNotice('the Serf agent does not take the tags', new SerfError(tagged.error));
  return textOf(agent?.['name']);
}

/** Returns the body of a response. @throws SerfError with the message of a refusal. */
export function requireSuccess({ body, error }: SerfResponse): SerfBody {
  if (error !== '') throw new SerfError(error);
  return body ?? {};
}
