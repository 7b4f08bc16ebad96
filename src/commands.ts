import * as vscode from 'vscode';
import { bibliographyCommands } from './features/bibliography/commands/bibliography-commands.ts';
import { searchCommands } from './features/sources/commands/search-commands.ts';
import { captureCommands } from './features/sources/commands/capture-commands.ts';
import { registerCommandsByName, type Commands } from './platform/register-commands.ts';
import type { Services } from './services/services.ts';
import { libraryCommands } from './features/notebooks/commands/library-commands.ts';
import { copyMcpConfiguration } from './features/mcp/editor/mcp-server.ts';
import { noteCommands, type ReportActions } from './features/notes/commands/note-commands.ts';
import { notebookCommands } from './features/notebooks/commands/notebook-commands.ts';
import { questionCommands, questionParts } from './features/chat/commands/question-commands.ts';
import { modelCommands } from './features/models/commands/model-commands.ts';
import { siteCommands } from './features/crawling/commands/site-commands.ts';
import { artifactCommands, type GeneratingActions } from './features/artifacts/commands/artifact-commands.ts';
import { teamCommands } from './features/team/commands/team-commands.ts';
import { teamRightsCommands } from './features/team/commands/team-rights-commands.ts';
import { addingCommands, sourceCommands } from './features/sources/commands/source-commands.ts';
import { chatCommands } from './features/chat/commands/chat-commands.ts';
import { recognitionCommands } from './features/ocr/commands/recognition-commands.ts';
import { recordingCommands } from './features/recordings/commands/recording-commands.ts';
import { embeddingCommands } from './features/semantic-search/commands/embedding-commands.ts';

/** Registers the commands that no feature registers. Errors are shown in one sentence. */
export function registerCommands(
  parts: Services,
  features: GeneratingActions & ReportActions,
): vscode.Disposable {
  const questions = questionParts(parts);
  const commands: Commands = {
    ...addingCommands(parts),
    ...captureCommands(parts),
    ...siteCommands(parts),
    ...chatCommands(parts),
    ...sourceCommands(parts),
    ...embeddingCommands(parts),
    ...modelCommands(parts),
    ...recognitionCommands(parts),
    ...recordingCommands(parts),
    ...noteCommands({ ...parts, ...features }),
    ...bibliographyCommands(parts),
    ...searchCommands(parts),
    ...artifactCommands({ ...parts, ...features }),
    ...questionCommands(parts, questions),
    ...notebookCommands(parts),
    ...teamCommands(parts),
    ...teamRightsCommands(parts),
    openWalkthrough,
    openGuide: (page?: unknown) => openGuide(parts, page),
    copyMcpConfiguration: () => copyMcpConfiguration(parts),
    ...libraryCommands(parts),
  };
  const { showError } = parts;
  return vscode.Disposable.from(
    parts.languages.onDidFindDamaged(
      (language) =>
        void import('./features/ocr/editor/choose-languages.ts')
          .then(({ showDamagedLanguage }) => showDamagedLanguage(parts.languages, language))
          .catch(showError),
    ),
    registerCommandsByName(commands, showError),
  );
}

async function openWalkthrough(): Promise<void> {
  const walkthrough = 'open-notebook.open-notebook#firstSteps';
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
}

/** Opens a page of the user guide in a Markdown preview, by its file name in media/guide without the extension. */
async function openGuide({ extensionUri }: Services, page: unknown): Promise<void> {
  const name = typeof page === 'string' && /^[\w-]+$/.test(page) ? page : 'README';
  const file = vscode.Uri.joinPath(extensionUri, 'media', 'guide', `${name}.md`);
  await vscode.commands.executeCommand('markdown.showPreview', file);
}
