import {
  bracketMatching,
  HighlightStyle,
  LanguageSupport,
  LRLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { styleTags, tags } from '@lezer/highlight';
import { parser } from '../../../grammar/filter.grammar';

const keywords = 'and or not in contains matches like starts ends with is empty nil as any all len now';

const filterLanguage = LRLanguage.define({
  name: 'filter',
  parser: parser.configure({
    props: [
      styleTags({
        [keywords]: tags.keyword,
        'Equal NotEqual Less LessEqual Greater GreaterEqual Sign': tags.operator,
        'Path/...': tags.variableName,
        'Binding/Name': tags.definition(tags.variableName),
        Reference: tags.special(tags.variableName),
        'Text RawText': tags.string,
        'Number Index': tags.number,
        flag: tags.modifier,
        '( ) { } [ ]': tags.bracket,
      }),
    ],
  }),
  languageData: { closeBrackets: { brackets: ['(', '[', '{', '"', '`'] } },
});

/** Colours use the theme's variables, which follow light and dark mode. */
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--filter-keyword)', fontWeight: '600' },
  { tag: tags.operator, color: 'var(--filter-operator)' },
  { tag: [tags.variableName, tags.special(tags.variableName)], color: 'var(--filter-name)' },
  { tag: tags.definition(tags.variableName), color: 'var(--filter-binding)' },
  { tag: [tags.string, tags.modifier], color: 'var(--filter-text)' },
  { tag: tags.number, color: 'var(--filter-number)' },
  { tag: tags.bracket, color: 'var(--filter-bracket)' },
]);

/** Colours and brackets of the filter language. */
export const filterSyntax = [
  new LanguageSupport(filterLanguage),
  syntaxHighlighting(colours),
  bracketMatching(),
];
