/** Text of HTML that may be put into a page as it is. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[];

/** HTML with every text in it escaped: only what this tag has made is taken as markup. */
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
