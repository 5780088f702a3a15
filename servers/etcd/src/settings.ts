import { checked, converted, list, text, type Reader } from '@tamis/config';
import { readEndpoints, type EtcdSettings } from './connection/settings.js';
import { EtcdError } from './errors.js';
import { isLogPrefix } from './log/layout.js';

// The etcd settings in a server's configuration, without the dependencies for connections.

export type { EtcdSettings };
export { EtcdError };

/** Reads the URLs of members. Only URLs with TLS are accepted for other machines. */
export const endpointList: Reader<readonly string[]> = converted(
  list(text(), { single: true }),
  (urls, refuse) => {
    try {
      readEndpoints({ endpoints: urls });
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      refuse(error.message.replace(/^etcd endpoints: /, ''));
    }
    return urls;
  },
);

/** Returns a reader of the path prefix of keys. @param example shown in the error for an invalid value */
export function keyPrefix(example: string): Reader<string> {
  const expected = `expected a path such as "${example}": letters, digits and ._- between slashes`;
  return checked(text(), isLogPrefix, expected);
}

/** Limits of a lease, in seconds. The maximum limits the time until a lost server is replaced. */
export const leaseBounds = { min: 2, max: 86_400 };

/** The members of etcd, and the credential files. Null or omitted means not set. */
export interface WrittenConnection {
  readonly endpoints: readonly string[];
  readonly caFile?: string | null | undefined;
  readonly certificateFile?: string | null | undefined;
  readonly keyFile?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly passwordFile?: string | null | undefined;
}

export function connectionOf({
  endpoints,
  username,
  passwordFile,
  ...files
}: WrittenConnection): EtcdSettings {
  const tls = Object.fromEntries(Object.entries(files).filter(([, file]) => typeof file === 'string'));
  return {
    endpoints,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(typeof username === 'string' &&
      typeof passwordFile === 'string' && { user: { name: username, passwordFile } }),
  };
}

/** Returns pairs of settings that require each other, of which one is missing. */
export function unpaired<T>(
  pairs: readonly (readonly [T, T])[],
  isThere: (one: T) => boolean,
): readonly { readonly there: T; readonly missing: T }[] {
  return pairs.flatMap(([one, other]) => {
    if (isThere(one) === isThere(other)) return [];
    return isThere(one) ? [{ there: one, missing: other }] : [{ there: other, missing: one }];
  });
}
