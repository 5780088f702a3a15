/** The name and the file of a place in the code, readable for people. */
export function nameOf(functionName: string, url: string): { readonly name: string; readonly file: string } {
  const file = url.startsWith('file://') ? url.slice('file://'.length) : url;
  return { name: functionName === '' ? '(anonymous)' : functionName, file: file === '' ? '(runtime)' : file };
}
