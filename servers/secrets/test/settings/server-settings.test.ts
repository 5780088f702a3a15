import { ConfigError } from '@tamis/config';
import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../src/server/server-config.js';
import { readServerSettings } from '../../src/program/settings/server-settings.js';

interface Read {
  readonly config: ServerConfig;
  readonly warnings: readonly string[];
}

function read(text: string, ...more: readonly string[]): Read {
  const warnings: string[] = [];
  const files = [text, ...more].map((content, at) => ({ name: `f${at}.hcl`, text: content }));
  const config = readServerSettings(files, { dev: false, onWarning: (warning) => warnings.push(warning) });
  return { config, warnings };
}

function mistakes(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

const memory = 'storage "memory" {}\n';
const tcp = (inside: string): string => `${memory}listener "tcp" { tls_disable = true ${inside} }`;
const headers = (inside: string): string => tcp(`custom_response_headers { ${inside} }`);

const members = 'endpoints = ["http://127.0.0.1:2379"]\n';
const etcd = (settings: string): string => `storage "etcd" {\n${settings}\n}`;

describe('a configuration file', () => {
  it('sets everything', () => {
    const { config, warnings } = read(`
      ui = false
      api_addr = "https://secrets.example:8200"
      disable_mlock = true
      log_level = "trace"
      default_lease_ttl = "1h"
      max_lease_ttl = "2d"
      storage "lmdb" { path = "/var/lib/secrets" }
      seal { key_file = "/etc/secrets/key" }
      audit "file" { path = "/var/log/audit.log" }
      auth "cloud" {
        path = "team/cloud"
        jwks_cooldown = "1s"
        login_rate = 5
        endpoints {
          CloudPublicCloud { authority = "http://127.0.0.1:1"  resource_manager = "http://127.0.0.1:2" }
          metadata = "http://127.0.0.1:3"
        }
      }
      listener "tcp" {
        address = "[::1]:8300"
        tls_cert_file = "c.pem"
        tls_key_file = "k.pem"
        tls_min_version = "tls13"
        max_request_size = 65536
        max_request_duration = "30s"
        x_forwarded_for_authorized_addrs = "10.0.0.0/8, 192.168.1.1"
        x_forwarded_for_reject_not_present = "true"
      }
      listener "TCP" { tls_disable = 1 }`);
    expect(warnings).toEqual([]);
    const [first, second] = config.listeners;
    expect(first).toMatchObject({
      host: '::1',
      port: 8300,
      tls: { certFile: 'c.pem', keyFile: 'k.pem', minVersion: 'TLSv1.3' },
      limits: { maxRequestSize: 65_536, maxRequestDuration: 30_000, readHeaderTimeout: 10_000 },
      forwardedFor: { authorizedCidrs: ['10.0.0.0/8', '192.168.1.1'], rejectNotPresent: true },
    });
    expect(first?.headers.byDefault.get('Strict-Transport-Security')).toBe(
      'max-age=31536000; includeSubDomains',
    );
    expect(second).toMatchObject({ host: '127.0.0.1', port: 8200, tls: null });
    expect(second?.headers.byDefault.size).toBe(0);
    expect(config).toMatchObject({
      ui: false,
      logLevel: 'debug',
      storage: { driver: 'lmdb', settings: { path: '/var/lib/secrets' }, place: '/var/lib/secrets' },
      unsealKeyFile: '/etc/secrets/key',
      auditFile: '/var/log/audit.log',
      lease: { defaultTtl: 3_600, maxTtl: 172_800 },
      auth: [{ path: 'team/cloud', settings: { jwks_cooldown: 1_000 }, login: { perSecond: 5, burst: 500 } }],
    });
    expect(config.auth[0]?.settings.endpoints).toEqual({
      metadata: 'http://127.0.0.1:3',
      environments: new Map([
        ['CloudPublicCloud', { authority: 'http://127.0.0.1:1', resourceManager: 'http://127.0.0.1:2' }],
      ]),
    });
  });

  it('may be JSON, and may be several', () => {
    const json = JSON.stringify({
      listener: [
        {
          tcp: {
            address: '127.0.0.1:1',
            tls_disable: true,
            custom_response_headers: { default: { 'X-A': ['1'] } },
          },
        },
      ],
    });
    const { config } = read(json, `${memory}listener "tcp" { address = "127.0.0.1:2"  tls_disable = true }`);
    expect(config.listeners.map(({ port }) => port)).toEqual([1, 2]);
    expect(config.listeners[0]?.headers.byDefault).toEqual(new Map([['X-A', '1']]));
  });

  it('takes names that other servers use', () => {
    const { config } = read('storage "file" { path = "/data" }\nlog_level = "WARNING"');
    const { storage, logLevel } = config;
    expect([storage.driver, storage.settings, logLevel]).toEqual(['lmdb', { path: '/data' }, 'warn']);
    expect(read('storage "InMem" {}').config.storage).toMatchObject({ driver: 'memory', place: null });
  });

  it('is in memory for development, whatever it says about storage', () => {
    const text = 'storage "raft" { path = 1 }\nstorage "lmdb" {}';
    const config = readServerSettings([{ name: 'f', text }], { dev: true, onWarning: () => undefined });
    expect(config.storage.driver).toBe('memory');
  });

  it('warns of unknown settings, with their positions', () => {
    const { warnings } = read(`${memory}\nlistner "tcp" {}\n`);
    expect(warnings).toEqual(['f0.hcl:3:1: listner: there is no such setting: did you mean listener?']);
  });

  it.each([
    ['ui = true', 'storage: is missing'],
    [
      'storage "raft" {}',
      'storage "raft": there is no such kind: write storage "lmdb" or storage "etcd" or storage "memory"',
    ],
    ['storage "lmdb" {}', 'storage "lmdb".path: is missing'],
    [`${memory}storage "lmdb" { path = "x" }`, 'is already there'],
    [`${memory}listener "unix" { tls_disable = true }`, 'write listener "tcp"'],
    [`${memory}listener "tcp" {}`, 'tls_disable = true'],
    [tcp('address = "localhost"'), 'address with its port'],
    [tcp('address = "127.0.0.1:99999"'), 'address with its port'],
    [tcp('max_request_size = 0'), 'max_request_size'],
    [tcp('host_names = ["secrets.example:8200"]'), 'host name without a port'],
    [`${memory}auth "cloud" { max_tokens_per_identity = -1 }`, 'max_tokens_per_identity'],
    [tcp('x_forwarded_for_authorized_addrs = "proxy"'), 'blocks of them'],
    [`${memory}audit "syslog" { path = "x" }`, 'write audit "file"'],
    [`${memory}audit "file" {}`, 'audit "file".path: is missing'],
    [`${memory}auth "other" {}`, 'write auth "cloud"'],
    [
      `${memory}auth "cloud" {}\nauth "cloud" {}`,
      'f0.hcl:3:14: auth "cloud".path: auth/cloud is mounted already',
    ],
    [`${memory}auth "cloud" {}\nauth "CLOUD" { path = "Cloud" }`, 'auth/cloud is mounted already'],
    [`${memory}auth "cloud" {}\nauth "cloud" { path = "cloud/b" }`, 'lie in each other'],
    [`${memory}auth "cloud" { path = "a/b" }\nauth "cloud" { path = "a" }`, 'lie in each other'],
    [`${memory}auth "cloud" { path = "token" }`, 'place of tokens'],
    [`${memory}auth "cloud" { path = "auth/Token/x" }`, 'place of tokens'],
    [`${memory}auth "cloud" { path = "${'a/'.repeat(256)}b" }`, 'longer than 512 characters'],
    [`${memory}auth "cloud" { path = "../x" }`, 'expected a path'],
    [
      `${memory}auth "cloud" { endpoints { CloudPublicCloud { authority = "http://example.com" } } }`,
      'loopback',
    ],
    [`${memory}default_lease_ttl = "800h"`, 'f0.hcl:2:21: default_lease_ttl: is longer than max_lease_ttl'],
    [`${memory}default_lease_ttl = "1d12h"`, 'expected a duration such as "1m30s" or "2d"'],
    [`${memory}log_level = "loud"`, 'log_level: expected one of debug, info, warn, error'],
    [`${memory}max_lease_ttl = "soon"`, 'expected a duration'],
    ['storage "memory" {', 'f0.hcl:1:'],
    ['storage "etcd" {}', 'endpoints'],
    [etcd('endpoints = ["http://10.0.0.1:2379"]'), 'is not on loopback, so it must be reached by https'],
    [etcd(`${members}prefix = "secrets"`), 'expected a path such as "/secrets/"'],
    [etcd(`${members}lease_ttl = 1`), 'lease_ttl'],
    [etcd(`${members}cert_file = "c"`), 'cert_file needs key_file too'],
    [etcd(`${members}username = "u"`), 'username needs password_file too'],
    [etcd(`${members}peer_cert_file = "c"\npeer_key_file = "k"`), 'peer_cert_file needs peer_ca_file too'],
    [etcd(`${members}peer_address = "10.0.0.1:8201"`), 'peer_address is not on loopback'],
    [etcd(`${members}peer_address = "8201"`), 'expected an address with its port'],
    [
      etcd(
        `${members}peer_address = "0.0.0.0:8201"\npeer_cert_file = "c"\npeer_key_file = "k"\npeer_ca_file = "a"`,
      ),
      'peer_advertise_address is missing',
    ],
  ])('%s: %s', (text, message) => {
    expect(mistakes(text)).toContain(message);
  });
});

describe('blocks of response headers', () => {
  it.each(['600', '6xx', '2XX', 'abc', '99'])(
    'refuse the status %s, naming listener, key and place',
    (key) => {
      const text = headers(`\n  "${key}" = { "X-A" = ["a"] }\n`);
      expect(mistakes(text)).toContain(
        `f0.hcl:3:3: listener "tcp".custom_response_headers."${key}": "${key}" is no status`,
      );
    },
  );

  it.each([
    ['a plain string', '"default" = { "X-A" = "a" }', 'expected a list of strings, found a string'],
    [
      'a number in the list',
      '"default" = { "X-A" = ["a", 5] }',
      '"X-A"[1]: expected a string, found a number',
    ],
    ['no map', '"default" = "a"', 'expected a map, found a string'],
    ['a list of maps', '"default" = [{ "X-A" = ["a"] }, { "X-B" = ["b"] }]', 'found several'],
    ['a status twice', '"200" = { "X-A" = ["a"] } "200" = { "X-B" = ["b"] }', 'already there in this block'],
    ['a line break', '"default" = { "X-A" = ["a\\r\\nX-B: c"] }', 'X-A holds a line break'],
    ['a name with a blank', '"default" = { "X A" = ["a"] }', '"X A" is no header name'],
    [
      'a framing header',
      '"default" = { "content-length" = ["5"] }',
      'Content-Length is set by the server itself',
    ],
  ])('refuse %s', (_, inside, message) => {
    expect(mistakes(headers(inside))).toContain(message);
  });

  it('take the place of earlier blocks, status by status', () => {
    const { config } = read(
      tcp(`custom_response_headers { "default" = { "X-A" = ["1"] } "200" = { "X-A" = ["2"], "X-B" = ["2"] } }
           custom_response_headers { "200" = { "X-C" = ["3"] } }`),
    );
    const { byDefault, byStatus } = config.listeners[0]!.headers;
    expect([...byDefault]).toEqual([['X-A', '1']]);
    expect([...byStatus.get(200)!]).toEqual([['X-C', '3']]);
  });

  it('leave reserved names and empty values out, with a warning', () => {
    const { config, warnings } = read(headers('"default" = { "X-Secrets-Foo" = ["a"], "X-B" = [""] }'));
    expect(config.listeners[0]!.headers.byDefault.size).toBe(0);
    expect(warnings.map((warning) => warning.replace(/^.*headers\./, ''))).toEqual([
      '"default"."X-Secrets-Foo": is left out: names that begin with X-Secrets- are reserved',
      '"default"."X-B": is left out: it has no value',
    ]);
  });
});
