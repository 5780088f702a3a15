import { join } from 'node:path';
import { workspace, type ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

const languages = ['tamis', 'json', 'jsonc', 'yaml'];

let client: LanguageClient | null = null;

/** Starts the language server with the settings of the workspace, and notifies it when they change. */
export async function activate({ extensionPath }: ExtensionContext): Promise<void> {
  client = new LanguageClient(
    'tamis',
    'Tamis filters',
    { module: join(extensionPath, 'dist', 'server.cjs'), transport: TransportKind.stdio },
    {
      documentSelector: languages.map((language) => ({ scheme: 'file', language })),
      initializationOptions: workspace.getConfiguration('tamis'),
      synchronize: { configurationSection: 'tamis' },
    },
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
