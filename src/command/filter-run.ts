import { FilterEvaluationError, type Filter, type Schema } from '../index.js';
import type { Diagnosis } from '../filter/explain/diagnose.js';
import { applySuggestion, type LintFinding } from '../entries/lint.js';
import { defaultRowLimits, InputError, type RawItem, type RawRow } from './input/raw-row.js';
import { readRow } from './input/row.js';
import { RowSplitter, type InputOptions } from './input/row-splitter.js';
import { unpack } from './input/unpack.js';
import { explainReadError, type Io } from './io.js';
import { paletteFor } from './palette.js';
import type { Progress, Tally } from './progress.js';
import type { RowSample } from './row-sample.js';
import type { RowOutput } from './row-output.js';
import type { NameCheck } from './name-check.js';
import { formatError, InputRowError, errorToJSON } from './report-error.js';

/** The processing of every row. */
export interface FilterJob {
  readonly filter: Filter<object>;
  readonly schema: Schema | undefined;
  /** Buffer of the first rows, for explaining an empty result; null if no explanation is requested. */
  readonly sample: RowSample | null;
  /** Explains why none of the given rows matches. */
  readonly diagnose: (rows: Iterable<object>) => Diagnosis;
  /** Returns probable mistakes in the filter. */
  readonly lint: (rows: readonly object[]) => readonly LintFinding[];
  readonly source: string;
  /** The result of the filter that makes a row match: false if inverted. */
  readonly expected: boolean;
  /** Number of matching rows after which reading ends. */
  readonly limit: number;
  readonly inputOptions: InputOptions;
  readonly maxRowBytes: number;
  /** Whether rows that cannot be evaluated are reported and skipped. */
  readonly skipsErrors: boolean;
  /** Whether rows are written while others are still being read. */
  readonly writesAtOnce: boolean;
  /** Finds fields that are named in options but occur in no row. */
  readonly names: NameCheck;
  /** Whether errors are reported as JSON. */
  readonly asJSON: boolean;
}

/** Maximum number of errors shown individually if errors are skipped. `--json` shows all. */
const maxReported = 5;

/**
 * Maximum time that rows of a pipe are buffered to determine column types, in ms. Ensures that rows of a slow producer appear.
 */
const maxDelayMs = 250;

/** Maximum number of rows between two writes, because an envelope may return millions of rows at once. */
const maxUnwrittenRows = 10_000;

/** Reads files one after another with one filter. */
export class FilterRun {
  private waitingSince: number | null = null;

  constructor(
    private readonly job: FilterJob,
    private readonly io: Io,
    private readonly output: RowOutput,
    private readonly progress: Progress,
    private readonly tally: Tally,
  ) {}

  async readFile(name: string): Promise<void> {
    const { io, job, tally } = this;
    const file = name === '-' ? null : name;
    const limits = { ...defaultRowLimits, maxRowBytes: job.maxRowBytes };
    const splitter = new RowSplitter(name, job.inputOptions, limits);
    const chunks = unpack(file === null ? io.stdin : io.openFile(file));
    try {
      for (;;) {
        const next = chunks.next();
        if (file === null && job.writesAtOnce && splitter.isWaiting) await this.waitForChunk(next, splitter);
        const { done, value: chunk } = await next;
        if (done === true) break;
        tally.bytes += chunk.length;
        await this.take(splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)), file);
        if (this.isDone(name)) return;
      }
      await this.take(splitter.end(), file);
    } catch (error) {
      if (error instanceof InputError) throw new InputRowError(error, { file, row: null, line: null });
      throw explainReadError(name, error) ?? error;
    } finally {
      // Not awaited: a pipe may not deliver data for a long time.
      void chunks.return(undefined).catch(() => undefined);
    }
  }

  /** Whether the limit ends the reading of an input. Files are read on for field names; a pipe may never end. */
  isDone(name: string): boolean {
    const { tally, job } = this;
    return tally.matched >= job.limit && (name === '-' || job.names.isComplete);
  }

  /** Waits for the next chunk. If that takes too long, the buffered rows are used. */
  private async waitForChunk(next: Promise<unknown>, splitter: RowSplitter): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    this.waitingSince ??= Date.now();
    const timeLeft = Math.max(0, this.waitingSince + maxDelayMs - Date.now());
    const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, timeLeft, true)));
    const isLate = await Promise.race([next.then(() => false), timeout]);
    clearTimeout(timer);
    if (isLate) await this.take(splitter.release(), null);
  }

  /** Processes the rows of one chunk. Output is written at its end, so that rows of a slow producer appear immediately. */
  private async take(items: Iterable<RawItem>, file: string | null): Promise<void> {
    const { job, tally, output } = this;
    for (const item of items) {
      if (tally.matched < job.limit) {
        tally.rows += 1;
        try {
          if (item instanceof InputError) throw item;
          this.takeRow(item);
        } catch (error) {
          await this.skip(error, item, file);
        }
        if (tally.rows % maxUnwrittenRows === 0) await output.flush();
      } else this.takeName(item);
      if (tally.matched >= job.limit && job.names.isComplete) break;
    }
    await output.flush();
    await this.progress.update(tally);
  }

  /** Processes a row after the limit: only checks for fields that options name and no row had so far. */
  private takeName(item: RawItem): void {
    try {
      if (!(item instanceof InputError)) this.job.names.add(readRow(item, defaultRowLimits.maxRowDepth));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }

  private takeRow(raw: RawRow): void {
    const row = readRow(raw, defaultRowLimits.maxRowDepth);
    this.job.names.add(row);
    this.job.sample?.add(row, raw.text?.length ?? raw.bytes.length);
    if (this.job.filter.test(row) !== this.job.expected) return;
    this.job.sample?.forget();
    this.tally.matched += 1;
    this.output.add(raw, row);
  }

  /** Returns the expression with the first suggested correction applied; null if there is no suggestion. */
  private suggestionFor({ source, suggestions }: FilterEvaluationError): string | null {
    const [first] = suggestions;
    return first === undefined ? null : applySuggestion(source, first);
  }

  /** Reports a row that cannot be evaluated, and throws unless errors are skipped. */
  private async skip(error: unknown, item: RawItem, file: string | null): Promise<void> {
    if (!(error instanceof InputError || error instanceof FilterEvaluationError)) throw error;
    const { number: row, line } =
      item instanceof InputError ? { number: item.place.row, line: item.place.line } : item;
    const { io, job, tally } = this;
    if (!job.skipsErrors) {
      const suggestion = error instanceof FilterEvaluationError ? this.suggestionFor(error) : null;
      const isDocument =
        error instanceof FilterEvaluationError && row === 1 && job.inputOptions.path === null;
      const lists =
        isDocument && !(item instanceof InputError)
          ? listsIn(readRow(item, defaultRowLimits.maxRowDepth))
          : [];
      throw new InputRowError(error, { file, row, line }, hintFor(error, lists), suggestion);
    }
    const failure = new InputRowError(error, { file, row, line });
    tally.skipped += 1;
    if (job.asJSON) await io.stderr.write(`${JSON.stringify({ error: errorToJSON(failure) })}\n`);
    else if (tally.skipped <= maxReported)
      await io.stderr.write(formatError(failure, paletteFor(io.stderr, io.env)));
  }
}

/** Returns a hint: options that select the rows within a document, or that continue after an error. */
function hintFor(error: InputError | FilterEvaluationError, lists: readonly string[]): string {
  const isMissing = error instanceof FilterEvaluationError && error.code.startsWith('find-');
  const isUnresolved = isMissing || (error instanceof FilterEvaluationError && error.actualKind === 'nil');
  const rows = isMissing ? lists.map((path) => `--rows ${path} reads the elements of that list, `) : [];
  const absent = isUnresolved ? '--unresolved absent reads such a row as one without the field, ' : '';
  return `${rows.join('')}${absent}--skip-errors leaves such a row out`;
}

/** Maximum number of objects around a suggested list, and maximum number of suggested lists. */
const maxListDepth = 3;
const maxLists = 3;

/** Returns the paths to the lists of objects in a document. */
function listsIn(value: object, depth = 0): string[] {
  const lists: string[] = [];
  for (const [key, child] of Object.entries(value) as [string, unknown][]) {
    if (typeof child !== 'object' || child === null || !/^[A-Za-z_]\w*$/.test(key)) continue;
    if (!Array.isArray(child)) {
      if (depth < maxListDepth) lists.push(...listsIn(child, depth + 1).map((path) => `${key}.${path}`));
    } else if (typeof child[0] === 'object' && child[0] !== null) lists.push(key);
  }
  return lists.slice(0, maxLists);
}
