import type { Registration } from '@tamis/etcd';
import type { Server } from './leadership.js';
import { readSharedSettings, type SharedSettings } from './shared-settings.js';

/** A server of the region as it registered itself. */
export interface RegisteredServer extends Server {
  /** URL of its HTTP API, such as `https://10.0.0.1:4646`. */
  readonly httpAddress: string;
  readonly gossipPort: number;
  /** Tags of its member. */
  readonly tags: Readonly<Record<string, string>>;
  /** Settings that must be equal on all servers; omitted by servers of earlier versions. */
  readonly settings?: SharedSettings;
}

/** The registered servers of the region that this one knows. */
export interface ServerList {
  /** Returns the servers sorted by name. This server is included once it has registered. */
  all(): readonly RegisteredServer[];
  /** Calls `listener` when the list has changed. The returned function unsubscribes. */
  subscribe(listener: () => void): () => void;
}

/** The list of a single server. */
export const noServers: ServerList = Object.freeze({ all: () => [], subscribe: () => () => undefined });

export function registrationOf({ name, ...rest }: RegisteredServer): Omit<Registration, 'since'> {
  return { name, value: JSON.stringify(rest) };
}

/** Parses a registration; null if it was not written by a server of this program. */
export function readRegistration({
  name,
  value,
}: Pick<Registration, 'name' | 'value'>): RegisteredServer | null {
  const given = parse(value);
  if (given === null) return null;
  const { address, httpAddress, gossipPort, tags, settings } = given as Partial<
    Record<keyof RegisteredServer, unknown>
  >;
  if (typeof address !== 'string' || typeof httpAddress !== 'string') return null;
  if (typeof gossipPort !== 'number' || !areTags(tags)) return null;
  return { name, address, httpAddress, gossipPort, tags, ...readSharedSettings(settings) };
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function areTags(value: unknown): value is RegisteredServer['tags'] {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((tag) => typeof tag === 'string')
  );
}
