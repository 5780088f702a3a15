// The default theme without its web fonts, and links that open a filter in the playground.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { useData } from 'vitepress';
import { onMounted, watch } from 'vue';
import './style.css';

export default {
  extends: DefaultTheme,
  setup() {
    const { frontmatter } = useData();
    // The home page of the theme has no landmark for its content.
    const markContent = () => {
      const content = document.querySelector('#VPContent');
      if (frontmatter.value.layout === 'home') content?.setAttribute('role', 'main');
      else content?.removeAttribute('role');
    };
    onMounted(markContent);
    watch(frontmatter, markContent, { flush: 'post' });
  },
  enhanceApp() {
    if (typeof document === 'undefined') return;
    for (const event of ['pointerover', 'focusin']) document.addEventListener(event, setAddress);
  },
};

/** Writes the filter of a link, with the example rows and their schema, into its address. @param {Event} event */
async function setAddress({ target }) {
  const link = target instanceof Element ? target.closest('a[data-filter]') : null;
  if (link === null || link.hash !== '') return;
  const { schema, rows } = await import('../../pages/sample.json');
  const state = JSON.stringify({ filter: link.dataset.filter, schema, rows });
  const packed = new Blob([state]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const base64 = btoa(String.fromCharCode(...bytes));
  link.hash = `v1.${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}
