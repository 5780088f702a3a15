/** A definition as written by the user: the JSON of a job, or errors. */
export type DefinitionSource =
  { readonly ok: true; readonly json: string } | { readonly ok: false; readonly problem: string };

/** Whether a source is parsed as HCL. A source that begins with a brace is JSON. */
export function isHcl(text: string): boolean {
  return !/^\uFEFF?\s*(\{|$)/.test(text);
}

/**
 * Reads a definition in JSON or in HCL. JSON is passed on unchanged: parsing and serialising numbers may change them.
 */
export async function readDefinition(text: string): Promise<DefinitionSource> {
  if (isHcl(text)) return readHcl(text);
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject
      ? { ok: true, json: text }
      : wrong('A definition is an object in JSON, in braces, or HCL.');
  } catch (error) {
    return wrong(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads HCL. Its parser is loaded at the first use. */
async function readHcl(text: string): Promise<DefinitionSource> {
  try {
    const { hclJobJson } = await import('./hcl-definition.js');
    return { ok: true, json: hclJobJson(text) };
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

function wrong(problem: string): DefinitionSource {
  return { ok: false, problem };
}
