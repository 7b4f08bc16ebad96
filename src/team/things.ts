import { annotationsSync } from './annotation-things.ts';
import { cardSync, deckSync } from './card-things.ts';
import { conversationSync, turnSync } from './conversation-things.ts';
import { cellSync, matrixSync } from './matrix-things.ts';
import { quizSync } from './quiz-things.ts';
import { researchSync, stepSync } from './research-things.ts';
import type { EntitySync, EntityKind } from './thing.ts';

/** Syncs by kind of entity. */
export const entitySyncs: Readonly<Record<EntityKind, EntitySync>> = {
  annotations: annotationsSync,
  conversation: conversationSync,
  turn: turnSync,
  research: researchSync,
  step: stepSync,
  matrix: matrixSync,
  cell: cellSync,
  deck: deckSync,
  card: cardSync,
  quiz: quizSync,
};

/** Reports whether teams share entities of this kind. */
export function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(entitySyncs, kind);
}
