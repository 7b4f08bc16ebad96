// What the product makes of test/fixtures/floors, as measured: less fails. What makes it better says so here.
import type { Language } from './floor-texts.ts';

/**
 * Of the questions that have an answer: how many have it on the first page of places, and in the first place; in what a
 * model is told that has room for one passage and writes searches in the words of the texts; and in what one is told whose
 * searches find nothing, by the words of the question alone.
 */
export type QuestionFigure = 'first' | 'page' | 'told' | 'unaided';

export const questionFloors: Readonly<Record<Language, Readonly<Record<QuestionFigure, number>>>> = {
  en: { page: 23, first: 12, told: 43, unaided: 20 },
  de: { page: 10, first: 6, told: 17, unaided: 9 },
  fr: { page: 7, first: 4, told: 19, unaided: 7 },
  es: { page: 8, first: 4, told: 18, unaided: 6 },
  ru: { page: 7, first: 6, told: 18, unaided: 9 },
  zh: { page: 19, first: 15, told: 18, unaided: 16 },
};

/** How many excerpts the questions that no text answers may show on their first pages together. */
export const unansweredFloors: Readonly<Record<Language, number>> = {
  en: 24,
  de: 6,
  fr: 18,
  es: 16,
  ru: 11,
  zh: 15,
};
