import { StreamLanguage, type StringStream } from '@codemirror/language';

/** The end marker of a multi-line token, such as `EOF` or the end of a comment; empty outside of one. */
interface HclState {
  end: string;
}

/**
 * Syntax highlighting of HCL: comments, strings, numbers and names. The parser of job files reports errors. No package for this
 * editor with HCL has more than one maintainer.
 */
export const hcl = StreamLanguage.define<HclState>({
  name: 'hcl',
  startState: () => ({ end: '' }),
  token(stream, state) {
    if (state.end !== '') return restOf(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match(/^(#|\/\/).*/)) return 'comment';
    if (stream.match('/*')) return begin(stream, state, '*/');
    const heredoc = stream.match(/^<<-?\s*(\w+)/);
    if (typeof heredoc === 'object' && heredoc !== null) {
      state.end = heredoc[1] ?? '';
      stream.skipToEnd();
      return 'string';
    }
    if (stream.match(/^"(\\.|[^"\\])*"?/)) return 'string';
    if (stream.match(/^-?\d[\d._eE+-]*/)) return 'number';
    if (stream.match(/^(true|false|null)\b/)) return 'atom';
    if (stream.match(/^[\w.-]+/)) return 'propertyName';
    stream.next();
    return 'punctuation';
  },
  languageData: { commentTokens: { line: '#' } },
});

function begin(stream: StringStream, state: HclState, end: string): string {
  state.end = end;
  return restOf(stream, state);
}

function restOf(stream: StringStream, state: HclState): string {
  if (state.end === '*/') {
    if (stream.skipTo('*/')) {
      stream.match('*/');
      state.end = '';
    } else stream.skipToEnd();
    return 'comment';
  }
  if (stream.string.trim() === state.end) state.end = '';
  stream.skipToEnd();
  return 'string';
}
