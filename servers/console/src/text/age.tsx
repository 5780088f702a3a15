import { signal } from '@preact/signals';
import { instantText, lengthText } from './format.js';

/** Update interval of ages, in ms. */
const beat = 10_000;
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, beat);

/** Shows how long ago something happened; a dash if never. */
export function Age({ nanoseconds }: { readonly nanoseconds: number | bigint }) {
  const milliseconds = Number(nanoseconds) / 1e6;
  if (!(milliseconds > 0)) return <span class="quiet">–</span>;
  return (
    <time dateTime={new Date(milliseconds).toISOString()} title={instantText(milliseconds)}>
      {lengthText(Math.max(now.value, Date.now()) - milliseconds)} ago
    </time>
  );
}
