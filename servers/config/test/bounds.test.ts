import { describe, expect, it } from 'vitest';
import { ConfigError, decodeConfig, parseConfig, text } from '../src/index.js';

/** As much as a text may hold. The tests end in time only if what reads it is linear. */
const length = 1_000_000;

function outcome(source: string, syntax: 'hcl' | 'json'): string {
  try {
    parseConfig(source, { name: 'f', syntax });
    return 'read';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('texts of the greatest length', () => {
  it.each<[name: string, source: string, message: string]>([
    ['a string without end', `a = "${'\\\\'.repeat(length / 2)}`, 'no closing quote'],
    ['dollars', `a = "${'$'.repeat(length)}"`, 'read'],
    ['interpolations without end', `a = "${'${'.repeat(length / 2)}"`, 'no closing brace'],
    ['carriage returns in a heredoc', `a = <<EOF\n${'\r'.repeat(length)}x\nEOF`, 'longer than'],
    ['a digit', `a = ${'9'.repeat(length)}`, 'read'],
    ['octal digits', `a = 0${'7'.repeat(length)}`, 'read'],
    ['comments', '/**/'.repeat(length / 4), 'read'],
    ['blanks', `a =${' \n'.repeat(length / 2)}1`, 'read'],
    ['a name', `${'a'.repeat(length)} = 1`, 'read'],
    ['entries', 'a=1\n'.repeat(length / 4), 'read'],
    ['items', `a = [${'1,'.repeat(length / 2 - 10)}]`, 'read'],
  ])('HCL: %s', (_name, source, message) => expect(outcome(source, 'hcl')).toContain(message));

  it.each<[name: string, source: string, message: string]>([
    ['a string without end', `{"a": "${'\\\\'.repeat(length / 2)}`, 'no closing quote'],
    ['escapes', `{"a": "${'\\n'.repeat(length / 2)}"}`, 'read'],
    ['a digit', `{"a": ${'9'.repeat(length)}}`, 'read'],
    ['items', `{"a": [${'1,'.repeat(length / 2 - 10)}1]}`, 'read'],
  ])('JSON: %s', (_name, source, message) => expect(outcome(source, 'json')).toContain(message));

  it('unknown keys: only the first ones are compared with the known ones', () => {
    const source = Array.from({ length: 70_000 }, (_, at) => `regio${at}=1`).join('\n');
    const root = parseConfig(source, { name: 'f' });
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`region_${at}`, text()]));
    expect(() => decodeConfig(root, fields)).toThrow(
      /^f:1:1: regio0: there is no such setting: did you mean/,
    );
  });
});
