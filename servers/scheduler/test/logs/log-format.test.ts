import { describe, expect, it } from 'vitest';
import { formatJson, formatText } from '../../src/services/logs/log-format.js';
import { parseLogLine, type LogRecord } from '../../src/services/logs/log-record.js';

const record: LogRecord = {
  level: 'info',
  levelNumber: 30,
  time: Date.UTC(2026, 0, 2, 15, 4, 5, 6),
  module: 'http',
  message: 'request complete',
  caller: '',
  fields: [
    ['method', 'GET'],
    ['note', 'two words'],
  ],
};

describe('a line of the log', () => {
  it.each([
    [{}, '2026-01-02T15:04:05.006Z [INFO]  http: request complete: method=GET note="two words"'],
    [
      { level: 'warn' },
      '2026-01-02T15:04:05.006Z [WARN]  http: request complete: method=GET note="two words"',
    ],
    [{ level: 'debug', fields: [] }, '2026-01-02T15:04:05.006Z [DEBUG] http: request complete'],
    [
      { level: 'error', fields: [], caller: 'server.ts:12' },
      '2026-01-02T15:04:05.006Z [ERROR] server.ts:12: http: request complete',
    ],
    [{ module: '', fields: [] }, '2026-01-02T15:04:05.006Z [INFO]  request complete'],
    [
      { module: '', message: 'a\nb', fields: [['text', 'x\n2026 [INFO] forged']] },
      '2026-01-02T15:04:05.006Z [INFO]  a b: text="x\\n2026 [INFO] forged"',
    ],
    [
      {
        module: '',
        fields: [
          ['empty', ''],
          ['list', [1, 2]],
          ['quote', 'a"b'],
        ],
      },
      '2026-01-02T15:04:05.006Z [INFO]  request complete: empty="" list=[1,2] quote="a\\"b"',
    ],
  ] as const)('as text: %o', (change, text) => {
    expect(formatText({ ...record, ...change } as LogRecord)).toBe(text);
  });

  it('as JSON, with the keys that begin with an at sign first', () => {
    expect(formatJson(record)).toBe(
      '{"@level":"info","@message":"request complete","@module":"http",' +
        '"@timestamp":"2026-01-02T15:04:05.006000Z","method":"GET","note":"two words"}',
    );
    expect(JSON.parse(formatJson({ ...record, caller: 'a.ts:1' }))).toHaveProperty('@caller', 'a.ts:1');
  });

  it('that is no JSON object is no record', () => {
    for (const line of ['', 'hello', '[1', 'null', '3']) expect(parseLogLine(line)).toBeNull();
  });
});
