import { isIP } from 'node:net';
import {
  block,
  bool,
  choice,
  converted,
  int,
  list,
  text,
  type Block,
  type Fields,
  type Reader,
} from '@tamis/config';
import { parseCidr } from '../cidr.js';
import { defaultListenerLimits, type ListenerLimits } from '../http/limits.js';
import { noForwardedFor, type ForwardedFor } from '../http/peer.js';
import { noResponseHeaders, type ResponseHeaders } from '../http/response-headers.js';
import { defaultListener, type ListenerConfig, type TlsConfig } from '../server-config.js';
import { responseHeaders } from './header-settings.js';
import { milliseconds } from '../setting-readers.js';

const fields = {
  address: converted(text(), readAddress),
  tls_disable: bool(),
  tls_cert_file: text(),
  tls_key_file: text(),
  tls_min_version: choice(['tls12', 'tls13']),
  max_header_size: int({ min: 1_024, max: 1_048_576 }),
  max_request_size: int({ min: 1_024, max: 268_435_456 }),
  max_json_depth: int({ min: 2, max: 1_000 }),
  max_json_entries: int({ min: 1, max: 10_000_000 }),
  max_connections_per_client: int({ min: 0, max: 1_000_000 }),
  max_request_duration: milliseconds,
  http_read_header_timeout: milliseconds,
  http_read_timeout: milliseconds,
  http_idle_timeout: milliseconds,
  x_forwarded_for_authorized_addrs: converted(list(text(), { single: true }), readCidrs),
  x_forwarded_for_hop_skips: int({ min: 0, max: 100 }),
  x_forwarded_for_reject_not_present: bool(),
  x_forwarded_for_reject_not_authorized: bool(),
  host_names: list(converted(text(), readHostName), { single: true }),
  custom_response_headers: responseHeaders,
} satisfies Fields;

type Values = Block<typeof fields>;

/** A `listener "tcp"` block. */
export const listenerSettings: Reader<ListenerConfig> = converted(
  block(fields),
  (values, refuse): ListenerConfig => {
    const { host, port } = values.address ?? defaultListener;
    const tls = readTls(values, refuse);
    return {
      host,
      port,
      tls,
      headers: withTransportSecurity(values.custom_response_headers ?? noResponseHeaders, tls),
      hostNames: values.host_names ?? [],
      limits: readLimits(values),
      forwardedFor: readForwardedFor(values),
    };
  },
);

function readTls(values: Values, refuse: (problem: string) => never): TlsConfig | null {
  if (values.tls_disable === true) return null;
  const { tls_cert_file: certFile, tls_key_file: keyFile, tls_min_version: oldest } = values;
  if (certFile === undefined || keyFile === undefined) {
    return refuse('needs tls_cert_file and tls_key_file, or tls_disable = true for plain HTTP');
  }
  return { certFile, keyFile, minVersion: oldest === 'tls13' ? 'TLSv1.3' : 'TLSv1.2' };
}

const transportSecurity = 'Strict-Transport-Security';

/** Browsers that have once come by TLS shall keep to it, unless the operator says otherwise (RFC 6797). */
function withTransportSecurity(headers: ResponseHeaders, tls: TlsConfig | null): ResponseHeaders {
  if (tls === null || headers.byDefault.has(transportSecurity)) return headers;
  const value = 'max-age=31536000; includeSubDomains';
  return { ...headers, byDefault: new Map([...headers.byDefault, [transportSecurity, value]]) };
}

function readLimits(values: Values): ListenerLimits {
  const defaults = defaultListenerLimits;
  return {
    ...defaults,
    maxHeaderSize: values.max_header_size ?? defaults.maxHeaderSize,
    maxRequestSize: values.max_request_size ?? defaults.maxRequestSize,
    maxJsonDepth: values.max_json_depth ?? defaults.maxJsonDepth,
    maxJsonEntries: values.max_json_entries ?? defaults.maxJsonEntries,
    maxConnectionsPerClient: values.max_connections_per_client ?? defaults.maxConnectionsPerClient,
    maxRequestDuration: values.max_request_duration ?? defaults.maxRequestDuration,
    readHeaderTimeout: values.http_read_header_timeout ?? defaults.readHeaderTimeout,
    readTimeout: values.http_read_timeout ?? defaults.readTimeout,
    idleTimeout: values.http_idle_timeout ?? defaults.idleTimeout,
  };
}

function readForwardedFor(values: Values): ForwardedFor {
  const defaults = noForwardedFor;
  return {
    authorizedCidrs: values.x_forwarded_for_authorized_addrs ?? defaults.authorizedCidrs,
    hopSkips: values.x_forwarded_for_hop_skips ?? defaults.hopSkips,
    rejectNotPresent: values.x_forwarded_for_reject_not_present ?? defaults.rejectNotPresent,
    rejectNotAuthorized: values.x_forwarded_for_reject_not_authorized ?? defaults.rejectNotAuthorized,
  };
}

/** `127.0.0.1:8200`, `[::1]:8200` or `localhost:8200`. */
function readAddress(written: string, refuse: (problem: string) => never): { host: string; port: number } {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(written) ?? [];
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  const isAddress = bracketed === undefined ? /^[\w.-]+$/.test(host) : isIP(host) === 6;
  if (!isAddress || port > 65_535)
    return refuse('expected an address with its port, such as "127.0.0.1:8200"');
  return { host, port };
}

function readHostName(written: string, refuse: (problem: string) => never): string {
  if (/^[\w-]+(?:\.[\w-]+)*$/.test(written)) return written.toLowerCase();
  return refuse('expected a host name without a port, such as "secrets.example"');
}

function readCidrs(written: readonly string[], refuse: (problem: string) => never): readonly string[] {
  const cidrs = written.flatMap((item) => item.split(',')).map((item) => item.trim());
  if (cidrs.every((cidr) => parseCidr(cidr) !== null)) return cidrs;
  return refuse('expected addresses or blocks of them, such as "10.0.0.0/8, 192.168.1.1"');
}
