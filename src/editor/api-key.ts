import * as vscode from 'vscode';

/** A key belongs to one endpoint, so that a changed address never gets another endpoint's key. */
const secretName = (endpoint: string): string => `apiKey:${endpoint}`;

/**
 * The key of an endpoint: what the user set, else for OpenAI's own endpoint the environment's `OPENAI_API_KEY`.
 */
export async function apiKeyFor(
  secrets: vscode.SecretStorage,
  endpoint: string,
): Promise<string | undefined> {
  const stored = await secrets.get(secretName(endpoint));
  if (stored !== undefined) return stored;
  return URL.parse(endpoint)?.hostname === 'api.openai.com' ? process.env['OPENAI_API_KEY'] : undefined;
}

/** Asks for the key of an endpoint. Resolves to whether one was set. */
export async function askForApiKey(secrets: vscode.SecretStorage, endpoint: string): Promise<boolean> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set API Key'),
    prompt: vscode.l10n.t(
      'Key for {0}. It is kept in the editor’s secret storage and sent to this address only.',
      endpoint,
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Type or paste the key.') : undefined),
  });
  if (key === undefined) return false;
  await secrets.store(secretName(endpoint), key.trim());
  return true;
}

export async function removeApiKey(secrets: vscode.SecretStorage, endpoint: string): Promise<void> {
  await secrets.delete(secretName(endpoint));
  void vscode.window.showInformationMessage(vscode.l10n.t('The API key for {0} was removed.', endpoint));
}
