import { isIP } from 'node:net';
import { checked, converted, duration, list, map, text, type Reader } from '@tamis/config';
import { readPeer, RegionError } from '@tamis/scheduler-state/cluster/regions.js';

/** Names appear in addresses and headers, and `*` means all of them elsewhere. */
export const name = checked(
  text(),
  (value) => /^[^\s*\p{Cc}]{1,128}$/u.test(value),
  'expected 1 to 128 characters without blanks and *',
);

export const bindAddress = checked(
  text(),
  (value) => isIP(value) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value),
  'expected an address or a host name without a port, such as "127.0.0.1"',
);

export const hostName = checked(
  text(),
  (value) => /^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/.test(value),
  'expected a host name without a port, such as "scheduler.test"',
);

export const endpoint = checked(
  text(),
  (value) => /^(\[[0-9A-Fa-f:.]+\]|[^\s:/]+)(:\d{1,5})?$/.test(value),
  'expected a host and perhaps a port, such as "10.0.0.1:4647"',
);

/** Reads a time in ms; numbers are seconds. @param min, max in ms */
export function milliseconds(min: number, max: number): Reader<number> {
  const bounds = { min: BigInt(min) * 1_000_000n, max: BigInt(max) * 1_000_000n };
  return converted(duration({ seconds: true, ...bounds }), (nanoseconds) => Number(nanoseconds / 1_000_000n));
}

/** Reads servers of other regions and rejects addresses that requests must not be sent to. */
export const regions = converted(map(list(text(), { single: true })), (servers, refuse) => {
  for (const [region, addresses] of servers) {
    for (const address of addresses) {
      try {
        readPeer(region, address);
      } catch (error) {
        if (!(error instanceof RegionError)) throw error;
        refuse(error.message.replace(/^regions: /, ''));
      }
    }
  }
  return servers;
});
