import * as vscode from 'vscode';
import { registerCommands } from './commands.ts';
import { showName } from './features/notebooks/commands/notebook-commands.ts';
import { questionParts } from './features/chat/commands/question-commands.ts';
import { createServices } from './services/services.ts';
import { mapViews } from './features/artifacts/editor/map-view.ts';
import * as flashcards from './features/flashcards/index.ts';
import * as research from './features/research/index.ts';
import * as tables from './features/tables/index.ts';
import { logFailedNotifications } from './core/rpc/failed-notifications.ts';
import { setTranslation } from './core/rpc/translation.ts';

let close: (() => Promise<void>) | undefined;

/** Creates the services, and registers the features and commands. */
export function activate(context: vscode.ExtensionContext): void {
  const started = performance.now();
  setTranslation(vscode.l10n.bundle);
  const services = createServices(context);
  logFailedNotifications((message, error) => services.log.error(message, error));
  const { notebooks, conversation, chat, reader, recognition, transcription, embedder, showError } = services;

  const researchProjects = research.register({ ...services, focusChat: () => chat.focus() });
  const study = flashcards.register({ ...services, questions: questionParts(services) });
  const extractionTables = tables.register({ ...services, reportError: showError });
  const maps = mapViews({ ...services, reportError: showError });

  close = async () => {
    await extractionTables.leave();
    await transcription.leave();
    await reader.leave();
    await notebooks.close();
    notebooks.dispose();
  };
  const leaving = [
    conversation,
    researchProjects,
    extractionTables,
    recognition,
    transcription,
    reader,
    embedder,
  ];
  for (const part of leaving)
    notebooks.beforeLeaving(async () => {
      await part.leave();
    });
  context.subscriptions.push(
    researchProjects,
    study,
    extractionTables,
    maps,
    showName(notebooks, (name) => services.sourcesView.describe(name)),
    registerCommands(services, {
      maps,
      generateStudyArtifact: study.generate,
      generateTable: extractionTables.generate,
      reviseReport: researchProjects.reviseReport,
    }),
  );
  void notebooks.refresh();
  services.log.info(`Activated in ${(performance.now() - started).toFixed(1)} ms.`);
}

/** Leaves sources that are still being read to the next window before the notebook closes. */
export async function deactivate(): Promise<void> {
  await close?.();
}
