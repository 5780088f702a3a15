import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { SchemaJSON, Span } from 'tamis';
import { createEngineClient, EngineFailure, type EngineClient } from '../engine-client.js';
import type {
  ClauseReport,
  Dataset,
  Inspection,
  ReadProblem,
  RowDetail,
  RowSelection,
  RowSource,
  ScanOutcome,
  ScanState,
  SqlDialect,
  SqlStatement,
} from '../protocol.js';
import type { SharedState } from '../share/shared-state.js';

/** A message for the top of the page. */
export interface Notice {
  readonly tone: 'info' | 'error';
  readonly text: string;
}

/** What a filter has found, and whether that is still being looked for. */
export interface FilterResult extends ScanState {
  /** The evaluated filter. */
  readonly text: string;
  /** Milliseconds; null until the result is complete. */
  readonly compileTime: number | null;
}

/** All that the page shows, and what can be done to it. State goes down, calls come up. */
export interface Playground {
  readonly engine: EngineClient;
  readonly text: Signal<string>;
  /** The filters that were entered, the last one first. */
  readonly history: Signal<readonly string[]>;
  readonly dataset: Signal<Dataset | null>;
  /** Null for rows without one. */
  readonly schema: Signal<SchemaJSON | null>;
  readonly schemaProblem: Signal<ReadProblem | null>;
  readonly result: Signal<FilterResult | null>;
  /** False if the source is not a valid filter: then the result is that of the previous one. */
  readonly isSound: Signal<boolean>;
  readonly inspection: Signal<Inspection | null>;
  readonly report: Signal<ClauseReport | null>;
  readonly selection: Signal<RowSelection>;
  readonly selectedRow: Signal<number | null>;
  readonly detail: Signal<RowDetail | null>;
  /** The database that filters are written for. */
  readonly dialect: Signal<SqlDialect>;
  readonly notice: Signal<Notice | null>;
  readonly isLoading: Signal<boolean>;
  /** Whether rows are being evaluated. */
  readonly isRunning: Signal<boolean>;
  readonly isSilent: Signal<boolean>;
  /** Incremented whenever rows or their states have changed, so that lists fetch again. */
  readonly revision: Signal<number>;
  /** A part of the filter to show in the filter box. */
  readonly highlighted: Signal<Span | null>;
  /** How many rows the chosen list has. */
  readonly listed: ReadonlySignal<number>;

  /** Loads rows; with a filter, that takes the place of the text. */
  load(source: RowSource, filter?: string): Promise<void>;
  setText(text: string): void;
  enter(text: string): void;
  setSchema(schema: SchemaJSON | null): Promise<void>;
  select(row: number | null): void;
  /** A filter as a condition of a database; null if the schema allows none. */
  writeSql(filter: string, dialect: SqlDialect): Promise<SqlStatement | null>;
  stop(): void;
  restart(): Promise<void>;
  open(shared: SharedState): Promise<void>;
}

/** Most filters that are remembered. */
const maxRemembered = 50;

export function createPlayground(startWorker: () => Worker): Playground {
  const text = signal('');
  const history = signal<readonly string[]>([]);
  const dataset = signal<Dataset | null>(null);
  const schema = signal<SchemaJSON | null>(null);
  const schemaProblem = signal<ReadProblem | null>(null);
  const result = signal<FilterResult | null>(null);
  const isSound = signal(true);
  const inspection = signal<Inspection | null>(null);
  const report = signal<ClauseReport | null>(null);
  const selection = signal<RowSelection>('matching');
  const selectedRow = signal<number | null>(null);
  const detail = signal<RowDetail | null>(null);
  const dialect = signal<SqlDialect>('postgres');
  const notice = signal<Notice | null>(null);
  const isLoading = signal(false);
  const isRunning = signal(false);
  const isSilent = signal(false);
  const revision = signal(0);
  const highlighted = signal<Span | null>(null);
  const listed = computed(() => {
    const total = dataset.value?.rows ?? 0;
    if (selection.value === 'all') return total;
    const found = result.value;
    if (selection.value === 'failed') return found?.failed ?? 0;
    return found?.matched ?? total;
  });
  /** The state that a restarted worker needs again. */
  let source: RowSource | null = null;
  let requestedText = '';
  let lastRun = 0;
  let lastLoad = 0;
  let edits = 0;

  const engine = createEngineClient(startWorker, {
    onProgress: (state) => {
      renderResult({ ...state, text: requestedText, compileTime: null });
    },
    onSilence: (silent) => {
      isSilent.value = silent;
    },
  });

  const renderResult = (found: FilterResult): void => {
    batch(() => {
      result.value = found;
      revision.value += 1;
    });
  };
  /** Reports a failed call; there is no other handler. */
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      notice.value = { tone: 'error', text: `The engine says: ${error.message}` };
    }
  };

  const run = (): Promise<void> =>
    attempt(async () => {
      const requested = text.value;
      lastRun += 1;
      const number = lastRun;
      requestedText = requested;
      isRunning.value = true;
      try {
        const outcome = await engine.call('run', requested);
        if (number !== lastRun) return;
        isRunning.value = false;
        if (outcome === null) return;
        isSound.value = outcome !== false;
        if (outcome !== false) await finish(requested, outcome);
      } finally {
        if (number === lastRun) isRunning.value = false;
      }
    });
  const finish = async (requested: string, outcome: ScanOutcome): Promise<void> => {
    renderResult({ ...outcome, text: requested });
    if (selectedRow.value !== null) void renderDetail(selectedRow.value);
    const isEmpty = requested.trim() === '';
    const found = isEmpty ? null : await engine.call('inspect', requested);
    if (requested !== text.value) return;
    inspection.value = found;
    const counted = isEmpty ? null : await engine.call('report', requested);
    if (requested === text.value) report.value = counted;
  };
  const renderDetail = (row: number): Promise<void> =>
    attempt(async () => {
      const found = await engine.call('detail', row);
      if (selectedRow.value === row) detail.value = found;
    });
  const clearResult = (): void => {
    result.value = null;
    inspection.value = null;
    report.value = null;
    selectedRow.value = null;
    detail.value = null;
    revision.value += 1;
  };
  const load = (from: RowSource, filter?: string): Promise<void> =>
    attempt(async () => {
      lastLoad += 1;
      const number = lastLoad;
      const before = edits;
      isLoading.value = true;
      try {
        const outcome = await engine.call('load', from);
        if (outcome === null || number !== lastLoad) return;
        if (!outcome.ok) {
          const { line, message, hint } = outcome.problem;
          const place = line === null ? '' : `line ${line}: `;
          notice.value = { tone: 'error', text: `${place}${message}${hint === null ? '' : `; ${hint}`}` };
          return;
        }
        source = from;
        batch(() => {
          dataset.value = outcome.value;
          schema.value = outcome.value.schema;
          schemaProblem.value = null;
          notice.value = null;
          // Input typed while the rows were read is kept.
          if (filter !== undefined && edits === before) text.value = filter;
          clearResult();
        });
      } finally {
        if (number === lastLoad) isLoading.value = false;
      }
      await run();
    });
  const setSchema = (next: SchemaJSON | null): Promise<void> =>
    attempt(async () => {
      const outcome = await engine.call('setSchema', next);
      if (!outcome.ok) {
        schemaProblem.value = outcome.problem;
        return;
      }
      batch(() => {
        schema.value = outcome.value;
        schemaProblem.value = null;
        clearResult();
      });
      await run();
    });

  return {
    engine,
    text,
    history,
    dataset,
    schema,
    schemaProblem,
    result,
    isSound,
    inspection,
    report,
    selection,
    selectedRow,
    detail,
    dialect,
    notice,
    isLoading,
    isRunning,
    isSilent,
    revision,
    highlighted,
    listed,
    load,
    setText(next) {
      if (next === text.value) return;
      text.value = next;
      edits += 1;
      void run();
    },
    enter(entered) {
      const remaining = history.value.filter((each) => each !== entered);
      if (entered.trim() !== '') history.value = [entered, ...remaining].slice(0, maxRemembered);
    },
    setSchema,
    select(row) {
      selectedRow.value = row;
      if (row === null) detail.value = null;
      else void renderDetail(row);
    },
    async writeSql(filter, requested) {
      let found: SqlStatement | null = null;
      await attempt(async () => {
        found = await engine.call('sql', filter, requested);
      });
      return found;
    },
    stop: () => void attempt(async () => void (await engine.call('stop'))),
    async restart() {
      const { value: remaining } = schema;
      engine.restart();
      text.value = '';
      if (source !== null) await load(source);
      if (remaining !== null) await setSchema(remaining);
      notice.value = { tone: 'info', text: 'The engine was started anew, without a filter.' };
    },
    async open(shared) {
      text.value = shared.filter;
      if (shared.rows !== null) await load({ kind: 'text', name: 'rows of the link', text: shared.rows });
      if (shared.schema !== null) await setSchema(shared.schema);
      else await run();
    },
  };
}
