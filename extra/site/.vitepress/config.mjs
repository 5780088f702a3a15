import { defineConfig } from 'vitepress';

const base = process.env['SITE_BASE'] ?? '/docs/';

/** @param {string} text @param {string} link */
const page = (text, link) => ({ text, link });
/** A page that is not one of VitePress, which its router must not load. @param {string} text @param {string} link */
const plain = (text, link) => ({ text, link, target: '_self' });

export default defineConfig({
  title: 'Tamis',
  description: 'A filter engine for lists of resources.',
  lang: 'en',
  base,
  srcDir: './pages',
  outDir: './dist',
  // The API reference and the playground are added after the pages are built.
  ignoreDeadLinks: [/(^|\/)(api|playground|files)\//, /^https?:\/\/(localhost|127\.0\.0\.1)/],
  // A style sheet that a script inserts would violate the policy of the scheduler.
  appearance: { disableTransition: false },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // The anchors of GitHub, so that links are the same in the repository.
    anchor: {
      slugify: (text) =>
        text
          .trim()
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replace(/\s/g, '-'),
    },
  },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: false } },
    outline: { level: [2, 3] },
    nav: [
      page('Get started', '/overview'),
      page('Guides', '/guides/rights-by-caller'),
      page('Language', '/language'),
      page('Reference', '/reference'),
      page('Scheduler', '/scheduler/'),
      page('Secrets server', '/secrets/'),
      plain('API', '/api/index.html'),
      plain('Playground', '/playground/index.html'),
    ],
    sidebar: {
      '/scheduler/': [
        {
          text: 'Scheduler',
          items: [
            page('Overview', '/scheduler/'),
            page('Install', '/scheduler/install'),
            page('Configuration', '/scheduler/configuration'),
            page('HTTP API', '/scheduler/api'),
            page('Filters', '/scheduler/filters'),
            page('Command', '/scheduler/command'),
            page('Console', '/scheduler/console'),
            page('Access control', '/scheduler/access-control'),
            page('Running and placing work', '/scheduler/work'),
            page('Several servers', '/scheduler/several-servers'),
            page('Agent', '/scheduler/agent'),
            page('Limits', '/scheduler/limits'),
            page('Development', '/scheduler/development'),
          ],
        },
      ],
      '/secrets/': [
        {
          text: 'Secrets server',
          items: [
            page('Overview', '/secrets/'),
            page('Install', '/secrets/install'),
            page('Settings', '/secrets/settings'),
            page('HTTP API', '/secrets/http-api'),
            page('Cloud auth', '/secrets/cloud-auth'),
            page('Operating', '/secrets/operating'),
            page('Operations', '/secrets/operations'),
            page('Several servers', '/secrets/several-servers'),
            page('Limits', '/secrets/limits'),
            page('Development', '/secrets/development'),
          ],
        },
      ],
      '/': [
        {
          text: 'Get started',
          items: [
            page('Overview', '/overview'),
            page('Filter an array', '/overview#filter-an-array'),
            page('Serve a list over HTTP', '/overview#serve-a-list-over-http'),
            page('Filter in a database', '/overview#filter-in-postgresql-sqlite-or-duckdb'),
            page('Use the command', '/command'),
            page('Operate the scheduler', '/scheduler/'),
            page('Operate the secrets server', '/secrets/'),
          ],
        },
        {
          text: 'Guides',
          items: [
            page('Rights by caller', '/guides/rights-by-caller'),
            page('Tenant tables in PostgreSQL', '/guides/tenant-tables'),
            page('Watch a list', '/guides/watches'),
            page('Saved-search alerts', '/guides/saved-search-alerts'),
            page('Add a filter box', '/guides/filter-box'),
            page('Port go-bexpr filters', '/guides/go-bexpr'),
            page('Serve a list with your framework', '/guides/frameworks'),
            page('Let agents list rows', '/agents'),
            page('Convert filters of other tools', '/convert'),
            page('Limit hostile users', '/guides/hostile-users'),
            page('Move from offset pages', '/guides/offset-pages'),
          ],
        },
        {
          text: 'Reference',
          items: [
            page('Modules', '/reference'),
            page('Filter language', '/language'),
            page('Schemas', '/schemas'),
            page('Errors and linting', '/errors-and-linting'),
            page('Error codes', '/errors'),
            page('Pagination', '/pagination'),
            page('Tables and lists', '/tables'),
            page('Lists over HTTP', '/http-lists'),
            page('Access filters', '/access'),
            page('Databases', '/sql'),
            page('MariaDB, MySQL and TiDB', '/sql-mysql'),
            page('ClickHouse', '/sql-clickhouse'),
            page('Large lists', '/scale'),
            page('Condition builder', '/builder'),
            page('Filter sets', '/filter-set'),
            page('Limits', '/limits'),
            page('Command', '/command'),
            page('Playground', '/playground'),
            page('Level 0', '/level-0'),
            plain('API reference', '/api/index.html'),
          ],
        },
        {
          text: 'Project',
          items: [
            page('Comparison', '/comparison'),
            page('Performance', '/performance'),
            page('Common problems', '/faq'),
            page('Security', '/security'),
            page('Contributing', '/contributing'),
            page('Changelog', '/changelog'),
          ],
        },
      ],
    },
  },
});
