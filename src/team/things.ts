import { annotationsThing } from './annotation-things.ts';
import { cardThing, deckThing } from './card-things.ts';
import { conversationThing, turnThing } from './conversation-things.ts';
import { cellThing, matrixThing } from './matrix-things.ts';
import { quizThing } from './quiz-things.ts';
import { researchThing, stepThing } from './research-things.ts';
import type { Thing, ThingKind } from './thing.ts';

/** Syncs by kind of entity. */
export const things: Readonly<Record<ThingKind, Thing>> = {
  annotations: annotationsThing,
  conversation: conversationThing,
  turn: turnThing,
  research: researchThing,
  step: stepThing,
  matrix: matrixThing,
  cell: cellThing,
  deck: deckThing,
  card: cardThing,
  quiz: quizThing,
};

/** Reports whether teams share entities of this kind. */
export function isThingKind(kind: string): kind is ThingKind {
  return Object.hasOwn(things, kind);
}
