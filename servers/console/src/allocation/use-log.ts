import { useEffect, useRef, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { appendText, noLines, type LogLines } from './log-lines.js';
import { followLog, type LogParams, type LogState } from './log-follower.js';

/** Delay for collecting output before rendering, in ms. A task may write a million lines a second. */
const drawTime = 100;

/** Returns the last lines of a log while a component is shown. */
export function useLog(params: LogParams): { readonly log: LogLines; readonly state: LogState } {
  const { api, session } = useConsole();
  const [log, setLog] = useState(noLines);
  const [state, setState] = useState<LogState>({ kind: 'connecting' });
  const read = useRef(noLines);
  const key = JSON.stringify([session.token.value, params]);
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setLog(read.current);
      }, drawTime);
    };
    read.current = noLines;
    draw();
    void followLog(
      api,
      params,
      {
        onBegin() {
          read.current = noLines;
          draw();
        },
        onText(text) {
          read.current = appendText(read.current, text);
          draw();
        },
        onState: setState,
      },
      end.signal,
    );
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return { log, state };
}
