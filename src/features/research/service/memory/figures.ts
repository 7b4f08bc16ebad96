import type { Product, ResearchMemory } from '../../model/project.ts';

type SeenFigure = NonNullable<ResearchMemory['figures']>[number];

/**
 * Maximum number of stored sentences with numbers per research project, their maximum length in UTF-16 code units, and
 * the maximum number of numbers in one.
 */
const MAX_FIGURES = 40;
const MAX_FIGURE_LENGTH = 300;
const MAX_NUMBERS = 12;

/** Matches a number with its unit: `305 mm`, `$3.2 billion`, `11.82`, `40 %`. */
const NUMBER = /\p{Sc}?\p{Nd}(?:[.,]?\p{Nd}){0,20}(?: ?[%‰°]| \p{L}{1,20})?/gu;

/**
 * Returns the numbers of products with the sentences that give their meaning, without duplicates. Only supported
 * sentences count.
 */
export function figuresSeen(products: readonly Product[]): readonly SeenFigure[] {
  const figures = new Map<string, SeenFigure>();
  for (const { id, text, statements } of products)
    for (const { start, end, verdict, citations } of statements) {
      if (verdict !== 'supported' || citations.length === 0 || figures.size >= MAX_FIGURES) continue;
      const surroundingText = text.slice(start, end).replaceAll(/\s+/g, ' ').trim();
      const numbers = surroundingText.match(NUMBER) ?? [];
      if (numbers.length === 0 || surroundingText.length > MAX_FIGURE_LENGTH || figures.has(surroundingText))
        continue;
      figures.set(surroundingText, {
        product: id,
        numbers: [...new Set(numbers)].slice(0, MAX_NUMBERS),
        text: surroundingText,
      });
    }
  return [...figures.values()];
}
