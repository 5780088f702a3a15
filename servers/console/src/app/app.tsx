import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { beginningOf, visibleParts } from '../text/visible-text.js';
import { useConsole } from './console.js';
import { Frame } from './frame.js';
import type { PageDeclaration, PageProps } from './page-declaration.js';
import { findPage } from './pages.js';

/** The whole page: the frame with the page of the current address. */
export function App() {
  const { location } = useConsole();
  const { path } = location.place.value;
  const found = findPage(path);
  const title = found?.page.title ?? 'No such page';
  useEffect(() => {
    const name = visibleParts(beginningOf(found?.id ?? '', 60)).map(({ text }) => text);
    document.title = [name.join(''), title, 'Scheduler'].filter((part) => part !== '').join(' · ');
  }, [path]);
  return (
    <Frame page={found?.page ?? null}>
      {found === null ? <NoPage /> : <PageView key={path} {...found} />}
    </Frame>
  );
}

function NoPage() {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        The address is wrong, or what it named is called otherwise. <a href="/ui/">The overview</a> leads on.
      </p>
    </>
  );
}

/** Shows a loaded page, or its loading state. */
function PageView({ page, id }: { readonly page: PageDeclaration; readonly id: string }) {
  const [Page, setPage] = useState<ComponentType<PageProps> | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const [error, retry] = useErrorBoundary();
  useEffect(() => {
    page.load().then(
      (loaded) => {
        setPage(() => loaded);
      },
      () => {
        setIsFailed(true);
      },
    );
  }, [page]);
  if (isFailed) {
    return (
      <p class="notice error" role="alert">
        This part of the console could not be loaded: the agent cannot be reached, or was replaced by another
        version.{' '}
        <a href={location.href} target="_self">
          Load the page again
        </a>
        .
      </p>
    );
  }
  if (error !== undefined) {
    return (
      <p class="notice error" role="alert">
        The console has made a mistake here: {String(error)}.{' '}
        <button type="button" onClick={retry}>
          Reload the page
        </button>
      </p>
    );
  }
  return Page === null ? <p class="quiet">Loading …</p> : <Page id={id} />;
}
