import type { Type } from '../language/schema/type.js';

/** Returns an example of a caller's value that can be compared with a field, for checks before any caller exists. */
export function sampleOf(type: Type, field: Type): unknown {
  switch (type.kind) {
    case 'any':
      return field.kind === 'any' ? 'x' : sampleOf(field, field);
    case 'list':
    case 'array':
      return [sampleOf(type.of, field)];
    case 'map':
    case 'struct':
      return { x: '' };
    case 'bool':
      return true;
    default:
      return 'unit' in type ? 1 : (samples[type.kind] ?? 1);
  }
}

const samples: Readonly<Partial<Record<Type['kind'], string>>> = {
  string: 'x',
  time: '2026-01-01T00:00:00Z',
  duration: '1s',
  ip: '10.0.0.1',
  version: '1.0.0',
};
