import { badRequest, reasonOf } from '@tamis/scheduler-model/base/errors.js';
import {
  AddressError,
  formatAddress,
  parseAddress,
  type Address,
} from '@tamis/scheduler-model/host/address.js';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';

/** The default RPC port of servers. */
export const defaultRpcPort = 4647;

/** The servers that a client knows, by RPC address. */
export type KnownServers = ReturnType<typeof createKnownServers>;

export interface KnownServersOptions {
  /** Returns the initial servers, even unreachable ones. Called on first use. */
  readonly initial: () => readonly Address[];
  /** Checks that a server is reachable; resolves with its IP address. @throws Error with the reason if not. */
  readonly ping: (address: Address) => Promise<string>;
}

/** Maximum number of concurrent pings. Prevents one request from opening a hundred connections. */
const maxPings = 8;

export function createKnownServers({ initial, ping }: KnownServersOptions) {
  let replaced: readonly Address[] | null = null;
  let learned: readonly Address[] = [];
  const known = (): readonly Address[] => distinct([...(replaced ?? initial()), ...learned]);
  let preferred = '';

  /** Returns the addresses in the order to try: starting with the last one that responded. */
  function inOrder(): readonly Address[] {
    const all = known();
    const first = all.findIndex((address) => formatAddress(address) === preferred);
    return first === -1 ? all : [...all.slice(first), ...all.slice(0, first)];
  }

  async function tryOne(text: string): Promise<Address | string> {
    try {
      const address = parseAddress(text, defaultRpcPort);
      return { host: await ping(address), port: address.port };
    } catch (error) {
      if (error instanceof AddressError) return error.message;
      return `Server at address ${text} failed ping: ${reasonOf(error)}`;
    }
  }

  return {
    /** `ip:port`, sorted. */
    addresses: (): readonly string[] => known().map(formatAddress).sort(),
    inOrder,
    /** Records which server has responded. */
    prefer(address: Address): void {
      preferred = formatAddress(address);
    },
    /** Makes the next server the first one to try. */
    turnAway(): void {
      const [, next] = inOrder();
      if (next !== undefined) preferred = formatAddress(next);
    },
    /** Adds servers, and removes those added by earlier calls. Ignores invalid addresses. */
    learn(addresses: readonly string[]): void {
      learned = addresses.flatMap((text) => readAddress(text) ?? []);
    },
    /**
     * Replaces the known servers by those of a list that respond.
     *
     * @throws SchedulerError `bad-request`; nothing has changed then.
     */
    async replace(addresses: readonly string[]): Promise<void> {
      const outcomes: (Address | string)[] = [];
      for (let at = 0; at < addresses.length; at += maxPings) {
        outcomes.push(...(await Promise.all(addresses.slice(at, at + maxPings).map(tryOne))));
      }
      const found = outcomes.filter((outcome) => typeof outcome !== 'string');
      if (found.length === 0) {
        const failures = outcomes.filter((outcome) => typeof outcome === 'string');
        throw badRequest(listErrors(failures));
      }
      replaced = distinct(found);
      learned = [];
    },
  };
}

function readAddress(text: string): Address | null {
  try {
    return parseAddress(text, defaultRpcPort);
  } catch {
    return null;
  }
}

function distinct(addresses: readonly Address[]): readonly Address[] {
  return [...new Map(addresses.map((address) => [formatAddress(address), address])).values()];
}
