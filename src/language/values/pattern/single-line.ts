import { everything, isEqualSet, notNewline } from './code-set.js';
import { assertAt, chars, type Node } from './node.js';

/**
 * Returns the pattern specialised for strings without a newline: `.` matches everything there, and a line is the whole string.
 * The same object if that changes nothing.
 */
export function asSingleLine(node: Node): Node {
  switch (node.kind) {
    case 'chars':
      return isEqualSet(node.set, notNewline) ? chars(everything) : node;
    case 'assert':
      if (node.position === 'line-start') return assertAt('text-start');
      return node.position === 'line-end' ? assertAt('text-end') : node;
    case 'sequence': {
      const parts = node.parts.map(asSingleLine);
      return isSame(parts, node.parts) ? node : { ...node, parts };
    }
    case 'choice': {
      const options = node.options.map(asSingleLine);
      return isSame(options, node.options) ? node : { ...node, options };
    }
    case 'repeat': {
      const body = asSingleLine(node.body);
      return body === node.body ? node : { ...node, body };
    }
    default:
      return node;
  }
}

function isSame(a: readonly Node[], b: readonly Node[]): boolean {
  return a.every((node, i) => node === b[i]);
}
