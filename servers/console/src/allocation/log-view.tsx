import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import type { LogParams, LogState } from './log-follower.js';
import { readableLine, defaultLimits, type LogLine, type LogLines } from './log-lines.js';
import { useLog } from './use-log.js';
import { plainText } from '../text/visible-text.js';

/** Height of a line in pixels. The style sheet has the same number. */
const lineHeight = 18;
/** Lines rendered above and below the visible ones, for scrolling. */
const ahead = 20;

/** Shows the live output of a task. The user can pause the display while reading continues. */
export function LogView({ params }: { readonly params: LogParams }) {
  const { log, state } = useLog(params);
  const [paused, setPaused] = useState<LogLines | null>(null);
  const visibleLog = paused ?? log;
  const lines = useMemo(() => written(visibleLog.lines), [visibleLog.lines]);
  const newer = log.count - visibleLog.count;
  return (
    <div class="log">
      <div class="log-bar">
        {(paused !== null || state.kind !== 'ended') && (
          <button
            type="button"
            onClick={() => {
              setPaused(paused === null ? log : null);
            }}
          >
            {paused === null ? 'Pause' : 'Jump to the end'}
          </button>
        )}
        <p role="status" class="log-state">
          {stateText(state)}
        </p>
        {/* Not part of the status: it changes ten times a second, and screen readers would announce each change. */}
        {paused !== null && newer > 0 && <p class="log-newer">{counted(newer, 'newer line')}</p>}
      </div>
      {state.kind === 'refused' && (
        <p class="notice error" role="alert">
          <UntrustedText text={state.failure.message} maxLength={2_000} isExpandable />
          {state.failure.kind === 'denied' && ' Needed: read-logs or read-fs in its namespace.'}
        </p>
      )}
      <Lines
        lines={lines}
        label={`${params.type} of ${plainText(params.task)}`}
        isFollowing={paused === null}
        onLeaveEnd={() => {
          setPaused((before) => before ?? log);
        }}
      />
      <p class="quiet">
        The last {defaultLimits.lines.toLocaleString('en')} lines are kept. Codes for terminals are left out.
      </p>
    </div>
  );
}

/** Returns the lines without an empty one started by the last line break. */
function written(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines;
}

const stateWords = {
  connecting: 'Connecting …',
  following: 'Following',
  ended: 'The task has ended: this is all of it',
};

function stateText(state: LogState): string {
  if (!('failure' in state)) return stateWords[state.kind];
  if (state.kind === 'refused') return '';
  return state.failure.kind === 'missing' ? 'Nothing yet: the task has not started' : 'Waiting for the agent';
}

interface LinesProps {
  readonly lines: readonly LogLine[];
  readonly label: string;
  readonly isFollowing: boolean;
  /** Called when the user scrolls up. */
  readonly onLeaveEnd: () => void;
}

/** Shows lines and renders only the visible ones. */
function Lines({ lines, label, isFollowing, onLeaveEnd }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const lastTop = useRef(0);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null || !isFollowing) return;
    current.scrollTop = current.scrollHeight;
    lastTop.current = current.scrollTop;
    setView({ top: current.scrollTop, height: current.clientHeight });
  }, [lines, isFollowing]);
  const from = Math.max(0, Math.floor(view.top / lineHeight) - ahead);
  const to = Math.min(lines.length, Math.ceil((view.top + view.height) / lineHeight) + ahead);
  return (
    <div
      class="log-lines"
      ref={scroller}
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        const isUp = scrollTop < lastTop.current - 1;
        lastTop.current = scrollTop;
        setView({ top: scrollTop, height: clientHeight });
        if (isFollowing && isUp && scrollTop + clientHeight < scrollHeight - lineHeight) onLeaveEnd();
      }}
    >
      <div style={{ height: `${lines.length * lineHeight}px` }}>
        <div style={{ transform: `translateY(${from * lineHeight}px)` }}>
          {lines.slice(from, to).map(({ number, text }) => (
            <div class="log-line" key={number}>
              <UntrustedText text={readableLine(text)} maxLength={defaultLimits.width} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
