import { Recoverable, start, type REPLCommand, type REPLServer } from 'node:repl';
import { escapeControls } from '../../language/diagnostics/snippet.js';
import { suggestNames } from '../../language/diagnostics/suggest.js';
import { enumerate } from '../../language/syntax/wording.js';
import { readCount, type Arguments, type OptionTable } from '../arguments.js';
import type { Command } from '../command.js';
import { inputOptions, readInputOptions } from '../csv-options.js';
import { clockOptions, languageOf, languageOptions, readNow, readSchema } from '../filter-options.js';
import { createHighlighter } from '../highlight.js';
import { UsageError, type ExitCode, type Io } from '../io.js';
import { paintWhileTyping } from '../highlight.js';
import { defaultLoadLimits, loadRows } from '../load-rows.js';
import { rowsText } from '../numbers.js';
import { paletteFor, usesColour } from '../palette.js';
import { StatusLine } from '../progress.js';
import { createSession, type Session } from '../session.js';

const options: OptionTable = {
  ...languageOptions,
  ...clockOptions,
  ...inputOptions,
  'max-rows': {
    value: 'N',
    help: `maximum number of rows in memory, default ${defaultLoadLimits.maxRows}`,
  },
};

export const replCommand: Command = {
  name: 'repl',
  summary: 'Loads rows and evaluates the filters that you type.',
  usage: 'tamis repl [OPTION...] FILE...',
  options,
  notes: `
Each line is a filter. Tab completes field names, operators and values; .help lists the commands. The lines you type
are kept in tamis/history in your state directory (~/.local/state, or XDG_STATE_HOME).

Examples:
  tamis repl jobs.ndjson
  tamis repl --schema job.schema.json jobs-*.json`,
  run: runRepl,
};

async function runRepl(args: Arguments, io: Io): Promise<ExitCode> {
  const { positionals: files } = args;
  if (files.length === 0) throw new UsageError('no file to load', 'name one or more: tamis repl jobs.ndjson');
  if (files.includes('-')) {
    throw new UsageError('rows cannot come from standard input: your lines do', 'write them to a file first');
  }
  const maxRows = readCount(args, 'max-rows') ?? defaultLoadLimits.maxRows;
  const schema = await readSchema(args, io);
  const options = readInputOptions(args, schema, files);
  const progress = new StatusLine(io);
  const { rows, isTruncated, bytes } = await loadRows(
    files,
    options,
    { ...defaultLoadLimits, maxRows },
    io,
    async (count, read) => {
      if (!io.stderr.isTerminal) return;
      await progress.paint(() => `loading: ${rowsText(count)}, ${Math.round(read / 1e6)} MB`);
    },
  );
  await progress.end(() => '');
  const { dialect = 'standard', level = 1 } = languageOf(args);
  const instant = readNow(args);
  const palette = paletteFor(io.stdout, io.env);
  const session = createSession({
    rows,
    schema,
    dialect,
    level,
    clock: instant === null ? io.clock : () => instant,
    palette,
    columns: () => io.stdout.columns,
    now: io.now,
    save: (path, chunks) => io.saveFile(path, chunks),
  });
  const notice = isTruncated ? cutNotice(rows.length, bytes) : '';
  await io.stdout.write(notice + session.greeting);
  await converse(session, io);
  return 0;
}

/**
 * Returns the notice that only the beginning of a file was loaded. Filtering a whole file that does not fit into memory takes
 * seconds, which is too slow interactively. The notice names the command that streams whole files.
 */
function cutNotice(rows: number, bytes: number): string {
  return (
    `The input is larger than fits in memory: these are its first ${rowsText(rows)} ` +
    `(${Math.round(bytes / 1e6)} MB).\nFor all of it: tamis filter EXPRESSION FILE\n`
  );
}

/** Runs the interactive session until the user leaves it. */
async function converse(session: Session, io: Io): Promise<void> {
  const history = io.stdout.isTerminal ? await io.prepareHistoryFile() : null;
  const { input, output } = io.interactive;
  const terminal = io.stdout.isTerminal && io.stdin.isTerminal;
  let shouldYield = false;
  // Whether a filter has begun on earlier lines. Its next line may begin with a dot.
  let isOpen = false;
  const server = start({
    prompt: terminal ? 'tamis> ' : '',
    input,
    output,
    terminal,
    useColors: usesColour(io.stdout, io.env),
    ignoreUndefined: true,
    preview: false,
    // The result of `eval` is formatted output, not a value to inspect.
    writer: (text: unknown) => String(text).trimEnd(),
    completer: (line: string) => completeCommand(session, line),
    eval: (source, _context, _file, done) => {
      // Lines that came in the same chunk as .exit still arrive after it.
      if (shouldYield) return done(null, undefined);
      const reply = session.evaluate(source);
      isOpen = reply.kind === 'incomplete';
      if (reply.kind === 'incomplete') done(new Recoverable(new SyntaxError('incomplete')), undefined);
      else done(null, reply.text === '' ? undefined : reply.text);
    },
  });
  server.on('SIGINT', () => (isOpen = false));
  defineCommands(server, session, output);
  if (terminal && usesColour(io.stdout, io.env)) {
    const highlight = createHighlighter(true);
    // Dot commands are not filters.
    const paint = (line: string): string => (line.trimStart().startsWith('.') ? line : highlight(line));
    const stop = paintWhileTyping(server, input, output, () => io.stdout.columns, paint);
    server.once('exit', stop);
  }
  server.defineCommand('exit', {
    help: 'leave',
    action() {
      shouldYield = true;
      this.close();
    },
  });
  handleUnknownCommands(server, () => !isOpen, output);
  if (history !== null) await new Promise<void>((resolve) => server.setupHistory(history, () => resolve()));
  await new Promise<void>((resolve) => server.once('exit', () => resolve()));
}

/** Replaces Node's commands for JavaScript with ours. */
function defineCommands(server: REPLServer, session: Session, output: NodeJS.WritableStream): void {
  for (const name of ['load', 'save', 'editor', 'break', 'clear'])
    Reflect.deleteProperty(server.commands, name);
  for (const { name, help, run } of session.commands) {
    server.defineCommand(name, {
      help,
      action(argument) {
        this.clearBufferedCommand();
        output.write(run(argument.trim()));
        this.displayPrompt();
      },
    });
  }
}

/** Maximum length of an unknown command name that is echoed, in characters. */
const maxNameLength = 40;

/** Suggests the intended command. Node looks up its command table, and prints its own message if nothing matches. */
function handleUnknownCommands(
  server: REPLServer,
  isCommand: () => boolean,
  output: NodeJS.WritableStream,
): void {
  const names = Object.keys(server.commands);
  const unknownCommand = (name: string): REPLCommand => ({
    help: undefined,
    action() {
      const near = suggestNames(name, names).map((each) => `.${each}`);
      const help = near.length === 0 ? '.help lists all of them' : `did you mean ${enumerate(near, 'or')}?`;
      output.write(`There is no command ${escapeControls(`.${name.slice(0, maxNameLength)}`)}; ${help}\n`);
      this.displayPrompt();
    },
  });
  Object.setPrototypeOf(
    server.commands,
    new Proxy(Object.freeze(Object.create(null) as object), {
      get: (_, name) => (typeof name === 'string' && isCommand() ? unknownCommand(name) : undefined),
    }),
  );
}

function completeCommand(session: Session, line: string): [string[], string] {
  if (/^\s*\.\w*$/.test(line)) {
    const written = line.trim();
    const names = [...session.commands.map(({ name }) => `.${name}`), '.exit'];
    return [names.filter((name) => name.startsWith(written)), written];
  }
  const argument = /^\s*\.(?:count|fmt|lint|portable|time)\s+/.exec(line)?.[0].length ?? 0;
  const { candidates, fragment } = session.complete(line.slice(argument));
  return [[...candidates], fragment];
}
