/** An HTML string that is safe to put into a page. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[];

/** Returns HTML with every value escaped: only results of this tag are inserted as markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const written = parts.map((part) => {
    if (part instanceof Markup) return part.text;
    if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
    return part.map(({ text }) => text).join('');
  });
  return new Markup(String.raw({ raw: strings }, ...written));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
