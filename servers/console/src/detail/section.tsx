import { Fragment, type ComponentChildren } from 'preact';
import { DisplayValue } from '../text/untrusted-text.js';

interface SectionProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A part of a page with its heading. */
export function Section({ title, children }: SectionProps) {
  return (
    <section class="section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Shows names and values; null and empty values are omitted, and strings are shown as untrusted text. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(of)
        .filter(([, content]) => content !== null && content !== undefined && content !== '')
        .map(([name, content]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <DisplayValue value={content} isExpandable />
            </dd>
          </Fragment>
        ))}
    </dl>
  );
}
