import { instantText, lengthText } from './format.js';

/** How long ago something was; a dash where it never was. */
export function Age({ nanoseconds }: { readonly nanoseconds: number | bigint }) {
  const milliseconds = Number(nanoseconds) / 1e6;
  if (!(milliseconds > 0)) return <span class="quiet">–</span>;
  return (
    <time dateTime={new Date(milliseconds).toISOString()} title={instantText(milliseconds)}>
      {lengthText(Date.now() - milliseconds)} ago
    </time>
  );
}
