import * as v from 'valibot';
import { optional, title, wholeNumber } from '../indexing/library/exported-values.ts';
import { storedQuestions } from '../indexing/store/stored-cards.ts';
import { readOptionalJson } from '../indexing/store/stored-json.ts';
import { citationHere, portableCited, sharedCitation } from './cited-things.ts';
import { pack, unpack } from './packed.ts';
import { findBase, dropBase, keepBase, removedThing, type Thing } from './thing.ts';

const MOST_QUESTIONS = 1_000;

const sharedQuiz = v.object({
  title,
  madeAt: wholeNumber,
  questions: v.pipe(
    v.array(
      v.pipe(
        v.object({
          question: v.string(),
          choices: v.pipe(v.array(v.string()), v.minLength(2), v.maxLength(26)),
          right: v.pipe(v.number(), v.integer(), v.minValue(0)),
          reason: v.string(),
          cited: optional(sharedCitation),
        }),
        v.check(({ choices, right }) => right < choices.length),
      ),
    ),
    v.maxLength(MOST_QUESTIONS),
  ),
});

/** A quiz's questions; what was chosen in it is each member's own. */
export const quizThing: Thing = {
  toSend(here, id) {
    const row = here.sql.get('SELECT * FROM quizzes WHERE id = ?', id);
    if (row === undefined) return removedThing(here, 'quiz', id);
    const questions = readOptionalJson(storedQuestions, row['questions'])?.map(
      ({ citation, ...question }) => ({
        ...question,
        cited: citation && portableCited(here, citation),
      }),
    );
    if (questions === undefined) return undefined;
    const value = pack({ title: row['title'], madeAt: row['made_at'], questions });
    return { id, within: '', base: findBase(here, 'quiz', id)?.revision ?? 0, value };
  },
  take(here, { id, value, revision }) {
    if (value === undefined) {
      dropBase(here, 'quiz', id);
      here.sql.run('DELETE FROM quizzes WHERE id = ?', id);
      return true;
    }
    const theirs = v.parse(sharedQuiz, unpack(value));
    const questions = theirs.questions.map(({ cited, ...question }) => ({
      ...question,
      citation: cited && citationHere(here, cited),
    }));
    here.sql.run(
      `INSERT INTO quizzes (id, title, questions, replies, made_at) VALUES (?, ?, ?, '[]', ?)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, questions = excluded.questions`,
      id,
      theirs.title,
      JSON.stringify(questions),
      Math.min(theirs.madeAt, Date.now()),
    );
    keepBase(here, 'quiz', id, { revision, value });
    return true;
  },
};
