import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SecretsError } from '../../src/base/errors.js';
import {
  constraint,
  count,
  duration,
  flag,
  integer,
  list,
  readFields,
  signedDuration,
  text,
  type Field,
} from '../../src/fields/fields.js';

const fields = { text, integer, count, flag, list, constraint, duration, signedDuration };
type Name = keyof typeof fields;

const read = (name: Name, value: unknown): unknown => readFields(fields, { [name]: value }).values[name];

describe('fields of a body', () => {
  it.each<[Name, unknown, unknown]>([
    ['text', 'a', 'a'],
    ['text', 5, '5'],
    ['text', true, '1'],
    ['text', null, ''],
    ['integer', -3, -3],
    ['integer', '42', 42],
    ['integer', '', 0],
    ['integer', null, 0],
    ['count', '0', 0],
    ['flag', true, true],
    ['flag', 'true', true],
    ['flag', 'F', false],
    ['flag', 1, true],
    ['flag', 0, false],
    ['flag', '', false],
    ['list', 'a, b', ['a', 'b']],
    ['list', ['a, b', ' c '], ['a, b', 'c']],
    ['list', '', []],
    ['list', [], []],
    ['list', null, []],
    ['list', 'a,,b,', ['a', 'b']],
    ['list', 7, ['7']],
    ['constraint', '', []],
    ['constraint', [], []],
    ['constraint', null, []],
    ['constraint', ['a', ''], ['a']],
    ['duration', 3600, 3600],
    ['duration', '3600', 3600],
    ['duration', '1h', 3600],
    ['duration', '60m', 3600],
    ['duration', '1h30m', 5400],
    ['duration', '90s', 90],
    ['duration', '1.5h', 5400],
    ['duration', '1999ms', 1],
    ['duration', '2d', 172_800],
    ['duration', '', 0],
    ['duration', null, undefined],
    ['signedDuration', '-5s', -5],
    ['signedDuration', -5, -5],
    ['signedDuration', null, undefined],
  ])('%s reads %j as %j', (name, value, expected) => {
    expect(read(name, value)).toEqual(expected);
  });

  it.each<[Name, unknown]>([
    ['text', {}],
    ['text', ['a']],
    ['integer', 1.5],
    ['integer', 'x'],
    ['integer', '1e3'],
    ['integer', 2 ** 60],
    ['integer', true],
    ['count', -1],
    ['count', '-1'],
    ['flag', 'yes'],
    ['flag', []],
    ['list', {}],
    ['list', [{}]],
    ['list', [null]],
    ['constraint', ['']],
    ['constraint', [' ', '']],
    ['constraint', ' , '],
    ['duration', -1],
    ['duration', '-1s'],
    ['duration', '1w'],
    ['duration', '1y'],
    ['duration', '1d12h'],
    ['duration', '5 minutes'],
    ['duration', '1h 30m'],
    ['duration', 'soon'],
    ['duration', 1.5],
    ['duration', true],
    ['duration', 1e12],
    ['duration', '99999999999d'],
    ['signedDuration', 'soon'],
  ])('%s refuses %j and names the field', (name, value) => {
    expect(() => read(name, value)).toThrow(`field "${name}" must be `);
  });

  it('names what is not known, in order, and leaves it out', () => {
    const { values, unknown } = readFields({ text }, { zebra: 1, text: 'a', apple: 2, constructor: 3 });
    expect(values).toEqual({ text: 'a' });
    expect(unknown).toEqual(['apple', 'constructor', 'zebra']);
  });

  it('knows no field of the prototype', () => {
    expect(readFields({ text }, JSON.parse('{"__proto__":"a","toString":"b"}') as never).unknown).toEqual([
      '__proto__',
      'toString',
    ]);
  });

  it('never says what was sent', () => {
    const secret = fc.string({ minLength: 6 }).map((middle) => `<<${middle}>>`);
    const value = fc.oneof(secret, fc.array(fc.record({ secret })), fc.record({ secret }));
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(fields) as Name[])), value, (name, sent) => {
        const field: Field<unknown> = fields[name];
        try {
          readFields({ [name]: field }, { [name]: sent });
        } catch (error) {
          expect(error).toBeInstanceOf(SecretsError);
          expect((error as SecretsError).message).not.toContain('<<');
        }
      }),
    );
  });
});
