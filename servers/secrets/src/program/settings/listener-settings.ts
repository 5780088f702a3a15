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
import { parseCidr } from '../../base/cidr.js';
import { defaultListenerLimits, type ListenerLimits } from '../../http/limits.js';
import { noForwardedFor, type ForwardedFor } from '../../http/peer.js';
import { noResponseHeaders, type ResponseHeaders } from '../../http/response-headers.js';
import { defaultListener, type ListenerConfig, type TlsConfig } from '../../server/server-config.js';
import { responseHeaders } from './header-settings.js';
import { milliseconds, settingsOf } from '../../base/setting-readers.js';

const limits = settingsOf<ListenerLimits>(defaultListenerLimits, {
  maxHeaderSize: ['max_header_size', int({ min: 1_024, max: 1_048_576 })],
  maxRequestSize: ['max_request_size', int({ min: 1_024, max: 268_435_456 })],
  maxJsonDepth: ['max_json_depth', int({ min: 2, max: 1_000 })],
  maxJsonEntries: ['max_json_entries', int({ min: 1, max: 10_000_000 })],
  maxConnectionsPerClient: ['max_connections_per_client', int({ min: 0, max: 1_000_000 })],
  maxRequestDuration: ['max_request_duration', milliseconds],
  readHeaderTimeout: ['http_read_header_timeout', milliseconds],
  readTimeout: ['http_read_timeout', milliseconds],
  idleTimeout: ['http_idle_timeout', milliseconds],
});

const forwardedFor = settingsOf<ForwardedFor>(noForwardedFor, {
  authorizedCidrs: ['x_forwarded_for_authorized_addrs', converted(list(text(), { single: true }), readCidrs)],
  hopSkips: ['x_forwarded_for_hop_skips', int({ min: 0, max: 100 })],
  rejectNotPresent: ['x_forwarded_for_reject_not_present', bool()],
  rejectNotAuthorized: ['x_forwarded_for_reject_not_authorized', bool()],
});

const fields = {
  address: converted(text(), readAddress),
  tls_disable: bool(),
  tls_cert_file: text(),
  tls_key_file: text(),
  tls_min_version: choice(['tls12', 'tls13']),
  host_names: list(converted(text(), readHostName), { single: true }),
  custom_response_headers: responseHeaders,
} satisfies Fields;

type Values = Block<typeof fields>;

/** Reads a `listener "tcp"` block. */
export const listenerSettings: Reader<ListenerConfig> = converted(
  block({ ...limits.fields, ...forwardedFor.fields, ...fields }),
  (values, refuse): ListenerConfig => {
    const { host, port } = values.address ?? defaultListener;
    const tls = readTls(values, refuse);
    return {
      host,
      port,
      tls,
      headers: withTransportSecurity(values.custom_response_headers ?? noResponseHeaders, tls),
      hostNames: values.host_names ?? [],
      limits: limits.read(values),
      forwardedFor: forwardedFor.read(values),
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

/** Adds Strict-Transport-Security (RFC 6797) to TLS listeners, unless the operator has set the header. */
function withTransportSecurity(headers: ResponseHeaders, tls: TlsConfig | null): ResponseHeaders {
  if (tls === null || headers.byDefault.has(transportSecurity)) return headers;
  const value = 'max-age=31536000; includeSubDomains';
  return { ...headers, byDefault: new Map([...headers.byDefault, [transportSecurity, value]]) };
}

/** Parses an address such as `127.0.0.1:8200`, `[::1]:8200` or `localhost:8200`. */
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
