import { useEffect, useState } from 'preact/hooks';
import type { SchemaJSON } from 'tamis';
import type { Playground } from '../state/playground.js';
import { fieldLines, kindChoices, withHidden, withType, type FieldLine } from './schema-edit.js';

/** What filters know of the rows, to be changed field by field or as JSON. */
export function SchemaPanel({ playground }: { readonly playground: Playground }) {
  const { schema, dataset, schemaProblem } = playground;
  const inferred = dataset.value?.schema ?? null;
  return (
    <>
      <p class="tools">
        <label>
          <input
            type="checkbox"
            checked={schema.value !== null}
            disabled={inferred === null}
            onChange={(event) => void playground.setSchema(event.currentTarget.checked ? inferred : null)}
          />{' '}
          Check filters against a schema
        </label>
        <button
          type="button"
          disabled={inferred === null || schema.value === inferred}
          onClick={() => void playground.setSchema(inferred)}
        >
          Infer again
        </button>
      </p>
      {schemaProblem.value !== null && (
        <p class="error" role="alert">
          {schemaProblem.value.message}
        </p>
      )}
      {schema.value === null ? (
        <p class="quiet">
          Without a schema each value’s own kind decides, and mistakes show only where a row meets them.
        </p>
      ) : (
        <>
          <FieldTable schema={schema.value} playground={playground} />
          <SchemaText schema={schema.value} playground={playground} />
        </>
      )}
    </>
  );
}

interface SchemaProps {
  readonly schema: SchemaJSON;
  readonly playground: Playground;
}

function FieldTable({ schema, playground }: SchemaProps) {
  return (
    <table class="fields">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Kind</th>
          <th scope="col">Hidden</th>
        </tr>
      </thead>
      <tbody>
        {fieldLines(schema).map((line) => (
          <FieldRow
            key={`${line.struct} ${line.property}`}
            line={line}
            schema={schema}
            playground={playground}
          />
        ))}
      </tbody>
    </table>
  );
}

function FieldRow({ line, schema, playground }: SchemaProps & { readonly line: FieldLine }) {
  const { property, depth, title, type } = line;
  const isChoice = kindChoices.some((choice) => choice.title === title);
  return (
    <tr>
      <th scope="row" style={{ paddingInlineStart: `${depth * 14}px` }}>
        {property}
        {type.selectorName !== undefined && (
          <span class="quiet">
            {' '}
            as <code>{type.selectorName}</code>
          </span>
        )}
        {type.nullable === true && <span class="quiet"> or null</span>}
      </th>
      <td>
        <select
          aria-label={`Kind of ${property}`}
          value={title}
          onChange={(event) => {
            const chosen = kindChoices.find((choice) => choice.title === event.currentTarget.value);
            if (chosen !== undefined) void playground.setSchema(withType(schema, line, chosen.type));
          }}
        >
          {!isChoice && <option value={title}>{title}</option>}
          {kindChoices.map((choice) => (
            <option key={choice.title} value={choice.title}>
              {choice.title}
            </option>
          ))}
        </select>
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`Hide ${property} from filters`}
          checked={type.hidden === true}
          onChange={(event) =>
            void playground.setSchema(withHidden(schema, line, event.currentTarget.checked))
          }
        />
      </td>
    </tr>
  );
}

/** The schema as JSON, for what the table cannot say. */
function SchemaText({ schema, playground }: SchemaProps) {
  const written = JSON.stringify(schema, null, 1);
  const [text, setText] = useState(written);
  useEffect(() => {
    setText(written);
  }, [written]);
  const apply = (): void => {
    try {
      void playground.setSchema(JSON.parse(text) as SchemaJSON);
    } catch (error) {
      const message = `this is not JSON: ${(error as SyntaxError).message}`;
      playground.schemaProblem.value = { line: null, message, hint: null };
    }
  };
  return (
    <details class="schema-text">
      <summary>As JSON</summary>
      <textarea
        aria-label="The schema as JSON"
        spellcheck={false}
        rows={14}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
      />
      <button type="button" disabled={text === written} onClick={apply}>
        Apply
      </button>
    </details>
  );
}
