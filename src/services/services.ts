import type * as vscode from 'vscode';
import { createChatServices, type ChatServices } from './chat.ts';
import { createModelServices, type ModelServices } from './models.ts';
import { createNoteServices, type NoteServices } from './notes.ts';
import { createPlatform, type Platform } from './platform.ts';
import { createSourceServices, type SourceServices } from './sources.ts';
import { createTeamServices, type TeamServices } from './team.ts';
import { createViewerServices, type ViewerServices } from './viewers.ts';

/** Services that commands and features use. */
export type Services = Platform &
  TeamServices &
  ModelServices &
  SourceServices &
  ViewerServices &
  NoteServices &
  ChatServices;

/** Creates the services and connects them. Workers, processes, and the notebook start with their first use. */
export function createServices(context: vscode.ExtensionContext): Services {
  const platform = createPlatform(context);
  const team = createTeamServices(platform);
  const models = createModelServices(platform);
  const sources = createSourceServices(platform, models);
  const viewers = createViewerServices(platform, team, sources);
  const notes = createNoteServices(platform, models, viewers);
  const chat = createChatServices(platform, models, sources, viewers);
  return { ...platform, ...team, ...models, ...sources, ...viewers, ...notes, ...chat };
}
