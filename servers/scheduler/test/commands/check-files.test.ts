import { describe, expect, it } from 'vitest';
import type { TlsConfig } from '../../src/agent/settings/agent-config.js';
import { TlsError } from '../../src/agent/settings/tls-material.js';
import { findMistakes, mistakesAsJson, mistakesAsText } from '../../src/program/local/check-files.js';

const readTls = (): Promise<null> => Promise.resolve(null);
const wrong = { name: 'a.hcl', text: 'ports { http = "x" }\nnmae = "a"' };

describe('a check of configuration files', () => {
  it('finds nothing in good ones', async () => {
    const files = [
      { name: 'a.hcl', text: 'tls { http = true }' },
      { name: 'b.json', text: '{"tls": {"cert_file": "c", "key_file": "k"}}' },
    ];
    expect(await findMistakes(files, { readTls })).toEqual([]);
    expect(mistakesAsJson([])).toBe('{"valid":true,"mistakes":[]}\n');
  });

  it('finds every mistake in all of them', async () => {
    const mistakes = await findMistakes([wrong, { name: 'b.hcl', text: 'region =' }], { readTls });
    expect(mistakesAsText(mistakes)).toBe(
      'a.hcl:1:16: ports.http: expected a whole number from 0 to 65535, found "x"\n' +
        'a.hcl:2:1: nmae: there is no such setting: did you mean name?\n' +
        'b.hcl:1:9: expected a value, found the end of the text\n',
    );
    expect(JSON.parse(mistakesAsJson(mistakes))).toMatchObject({
      valid: false,
      mistakes: [
        { source: 'a.hcl', line: 1, column: 16, setting: 'ports.http' },
        { source: 'a.hcl', line: 2, column: 1, setting: 'nmae' },
        { source: 'b.hcl', line: 1, column: 9, setting: '' },
      ],
    });
  });

  it('finds settings that do not go together', async () => {
    const files = [{ name: 'a.hcl', text: 'server { enabled = false }' }];
    expect(mistakesAsText(await findMistakes(files, { readTls }))).toMatch(
      /^a\.hcl:1:20: server\.enabled: an agent is a server, a client or both/,
    );
  });

  it.each([
    [
      'tls { http = true cert_file = "none.pem" key_file = "k" }',
      'a.hcl:1:31: tls.cert_file: none.pem is away\n',
    ],
    ['tls { cert_file = "none.pem" key_file = "k" }', ''],
  ])('tries the certificates of %s', async (text, reported) => {
    const none = ({ certFile }: TlsConfig): Promise<never> =>
      Promise.reject(new TlsError('tls.cert_file', `${certFile} is away`));
    expect(mistakesAsText(await findMistakes([{ name: 'a.hcl', text }], { readTls: none }))).toBe(reported);
  });
});
