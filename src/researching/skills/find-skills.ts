import { languageOfText, termsIn, weighTerms } from '../../language/words/words.ts';
import type { ComposedSkill, SkillLibrary } from './skill.ts';

/** The composed skills whose names and descriptions say most to a goal or the words of a step, best first. */
export function findSkills(words: string, { composed }: SkillLibrary, most = 5): readonly ComposedSkill[] {
  return bestDescribed(words, composed, most);
}

/** Those of anything with a name and a description that say most to some words, best first. */
export function bestDescribed<Described extends { readonly name: string; readonly description: string }>(
  words: string,
  all: readonly Described[],
  most: number,
): readonly Described[] {
  const language = languageOfText(words);
  const asked = [...new Set(termsIn(words, language))];
  const units = all.map(
    ({ name, description }) => new Set(termsIn(`${name.replaceAll('-', ' ')} ${description}`, language)),
  );
  const weight = weighTerms(units);
  return all
    .map((one, i) => {
      const held = asked.filter((term) => units[i]?.has(term) === true);
      return { one, score: held.reduce((sum, term) => sum + weight(term), 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ one }) => one);
}
