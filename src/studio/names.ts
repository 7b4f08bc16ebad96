import { t } from '@vscode/l10n';
import type { StudioThing } from '../notebook/studio.ts';

/** What a thing is called, what it is, and what is said where nothing can be made of the sources. */
interface ThingWords {
  readonly name: string;
  readonly is: string;
  readonly empty: string;
}

/** What a thing is called, what it is, and what is said where nothing can be made. */
export function thingWords(thing: StudioThing): ThingWords {
  switch (thing) {
    case 'mindMap':
      return {
        name: t('Mind Map'),
        is: t('The headings of the sources as a tree; a click opens the section'),
        empty: t('These sources have no headings, so there is no mind map to draw. Choose others.'),
      };
    case 'conceptMap':
      return {
        name: t('Concept Map'),
        is: t('The terms that say most, and which of them stand together'),
        empty: t(
          'No terms stand together often enough in these sources to draw a map of them. Choose more or longer ones.',
        ),
      };
    case 'matrix':
      return {
        name: t('Matrix'),
        is: t('Questions that each source answers in its cell, with the place that it rests on'),
        empty: t('There is nothing in the notebook to ask. Add sources first.'),
      };
    case 'glossary':
      return {
        name: t('Glossary'),
        is: t('The terms that the sources define, in their own words'),
        empty: t(
          'These sources define no terms in their text, so there is no glossary to write. Choose others.',
        ),
      };
    case 'timeline':
      return {
        name: t('Timeline'),
        is: t('What the sources say happened when, in the order of time'),
        empty: t('These sources name no dates, so there is no timeline to write. Choose others.'),
      };
    case 'index':
      return {
        name: t('Index'),
        is: t('Terms from A to Z with their places, as at the end of a book'),
        empty: t('These sources are too short for an index. Choose more or longer ones.'),
      };
    case 'tables':
      return {
        name: t('Tables'),
        is: t('All tables of the sources; those with the same columns become one'),
        empty: t('These sources have no tables whose columns are named. Choose others.'),
      };
    case 'cloze':
      return {
        name: t('Cloze Cards'),
        is: t('Definitions with a gap where the term stands, to learn them by'),
        empty: t(
          'These sources define no terms in their text, so there are no cards to make. Choose others.',
        ),
      };
    case 'cards':
      return {
        name: t('Flashcards'),
        is: t('Cards to learn by, which come back when you are about to forget them'),
        empty: t(
          'These sources define no terms in their text, so there are no cards to make without a model. Choose others, or pick a model that writes questions.',
        ),
      };
    case 'quiz':
      return {
        name: t('Quiz'),
        is: t('Questions with answers to choose from, and why they are right'),
        empty: t(
          'These sources define too few terms to make a quiz of without a model. Choose more, or pick a model that writes questions.',
        ),
      };
    case 'slides':
      return {
        name: t('Slides'),
        is: t('A slide for each section, in Markdown for Marp'),
        empty: t(
          'These sources have no headings with text below them, so there are no slides to make. Choose others.',
        ),
      };
  }
}
