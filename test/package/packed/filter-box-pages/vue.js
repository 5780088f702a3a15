import { createApp, ref } from 'vue';
import '@tamis/filter-box';
import { schema } from './schema.js';
import { render } from 'virtual:template';

createApp({
  setup() {
    const value = ref('Status == "dead"');
    const applied = ref('');
    const submit = ({ detail }) => (applied.value = detail.error?.message ?? detail.value);
    return { value, applied, schema, submit };
  },
  render,
}).mount('#app');
