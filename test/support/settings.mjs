/** Settings for `npm start`: VS Code sends, searches, and suggests nothing, and nothing opens by itself. */
export const firstSettings = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'workbench.welcomePage.experimentalOnboarding': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'npm.fetchOnlinePackageInfo': false,
  'json.schemaDownload.enable': false,
  'git.autofetch': false,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** Settings of a test: those of `npm start`, and nothing that happens by itself. */
export const testSettings = {
  ...firstSettings,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.tips.enabled': false,
  // Hides VS Code's own Chat and saves its process; vscode.lm still works.
  'chat.disableAIFeatures': true,
  'git.openRepositoryInParentFolders': 'never',
  // A check after each answer would use up the scripted reply to the next question.
  'openNotebook.answer.check': false,
  // A request for suggestions would use up the scripted reply to the next question.
  'openNotebook.answer.suggestions': 'never',
  // Animations are drawn sixty times a second without a graphics card.
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
};
