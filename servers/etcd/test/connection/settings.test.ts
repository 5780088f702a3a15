import { describe, expect, it } from 'vitest';
import { readEndpoints, type EtcdSettings } from '../../src/connection/settings.js';

const files = { certificateFile: 'c', keyFile: 'k' };

const refused: readonly (readonly [settings: EtcdSettings, text: string])[] = [
  [{ endpoints: [] }, 'etcd endpoints: at least one URL of a member is needed'],
  [
    { endpoints: ['etcd-1:2379'] },
    'etcd endpoints: "etcd-1:2379" is not a URL such as https://etcd-1.example:2379',
  ],
  [
    { endpoints: ['unix:///tmp/x'] },
    'etcd endpoints: "unix:///tmp/x" is not a URL such as https://etcd-1.example:2379',
  ],
  [
    { endpoints: ['http://10.0.0.1:2379'] },
    'etcd endpoints: "http://10.0.0.1:2379" is not on loopback, so it must be reached by https',
  ],
  [
    { endpoints: ['http://127.0.0.1.example:2379'] },
    'etcd endpoints: "http://127.0.0.1.example:2379" is not on loopback, so it must be reached by https',
  ],
  [
    { endpoints: ['http://127.0.0.1:1', 'http://etcd:1'] },
    'etcd endpoints: "http://etcd:1" is not on loopback, so it must be reached by https',
  ],
  [{ endpoints: ['https://a:1', 'https://a:1/'] }, 'etcd endpoints: a:1 is there twice'],
  [
    { endpoints: ['https://root:secret@a:1'] },
    'etcd endpoints: a URL with a user or a password (host a:1): set user and passwordFile',
  ],
  [
    { endpoints: ['https://a:1/v3'] },
    'etcd endpoints: "https://a:1/v3" has more than a scheme, a host and a port',
  ],
  [
    { endpoints: ['https://a:1'], tls: { certificateFile: 'c' } },
    'etcd tls: a client certificate needs its key, and a key its certificate',
  ],
  [
    { endpoints: ['https://a:1'], tls: { keyFile: 'k' } },
    'etcd tls: a client certificate needs its key, and a key its certificate',
  ],
  [
    { endpoints: ['http://127.0.0.1:1'], tls: files },
    'etcd tls: no endpoint is reached by https, so the certificates would not be used',
  ],
  [{ endpoints: ['https://a:1'], user: { name: '', passwordFile: 'p' } }, 'etcd user: the name is empty'],
];

const accepted: readonly (readonly [url: string, address: string, isSecure: boolean])[] = [
  ['http://127.0.0.1:2379', '127.0.0.1:2379', false],
  ['http://127.8.8.8:2379/', '127.8.8.8:2379', false],
  ['http://localhost:2379', 'localhost:2379', false],
  ['http://[::1]:2379', '[::1]:2379', false],
  ['https://etcd-1.example:2379', 'etcd-1.example:2379', true],
  ['https://etcd-1.example', 'etcd-1.example:443', true],
];

describe('endpoints', () => {
  it.each(refused)('%j is refused: %s', (settings, text) => {
    expect(() => readEndpoints(settings)).toThrow(
      expect.objectContaining({ code: 'configuration', message: text }),
    );
  });

  it.each(accepted)('%s is %s', (url, address, isSecure) => {
    expect(readEndpoints({ endpoints: [url] })).toEqual([{ url, address, isSecure }]);
  });
});
