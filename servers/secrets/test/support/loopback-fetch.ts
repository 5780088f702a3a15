import { isLoopbackAddress } from '@tamis/http';

/** A fetch that refuses every host but this one: no test and no demo may ever reach a real cloud. */
export const loopbackFetch: typeof globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!isLoopbackAddress(url.hostname.replace(/^\[|\]$/g, ''))) {
    throw new Error(`${url.origin} is not on this machine`);
  }
  return globalThis.fetch(input, init);
};
