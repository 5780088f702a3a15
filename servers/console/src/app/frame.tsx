import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ClusterState } from './cluster-state.js';
import { useConsole } from './console.js';
import { addressOf } from './location.js';
import type { PageDeclaration } from './page-declaration.js';
import { pages } from './pages.js';

interface FrameProps {
  /** Null if the address has no page. */
  readonly page: PageDeclaration | null;
  readonly children: ComponentChildren;
}

/** The frame of every page: navigation, cluster state and the current user. */
export function Frame({ page, children }: FrameProps) {
  const { location, session } = useConsole();
  const { path } = location.place.value;
  const section = path.split('/', 1)[0] ?? '';
  const main = useMovedFocus(path);
  return (
    <div class="console">
      <a class="skip" href="#main" target="_self">
        To the content
      </a>
      <header class="head">
        <nav aria-label="Pages">
          <ul>
            {pages
              .filter(({ isListed }) => isListed)
              .map(({ path: to, title }) => (
                <li key={to}>
                  <a href={addressOf([to])} aria-current={to === section ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
        <ClusterState />
        <a
          class="who"
          href={addressOf(['access'])}
          aria-current={page?.path === 'access' ? 'page' : undefined}
        >
          {session.token.value === '' ? 'Sign in' : 'Signed in'}
        </a>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Moves the focus to the new page after navigation, so that reading and tabbing start there as after a page load. */
function useMovedFocus(path: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
  return main;
}
