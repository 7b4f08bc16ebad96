import * as v from 'valibot';
import { optional, title, wholeNumber } from '../../indexing/library/exported-values.ts';
import { storedQuestions, storedReplies } from './store/stored-json.ts';
import { readOptionalJson } from '../../indexing/store/database/stored-json.ts';
import { QUIZ_MAKERS, repliesAfter } from './model.ts';
import { citationHere, portableCited, sharedCitation } from '../../team/citation-sync.ts';
import { originColumns, originToSend, sharedOrigin } from '../../team/origin-versions.ts';
import { pack, unpack } from '../../team/packed.ts';
import { findBase, dropBase, keepBase, removedEntity, type EntitySync } from '../../team/synced-entity.ts';

const MAX_QUESTIONS = 1_000;

const sharedQuiz = v.object({
  title,
  madeAt: wholeNumber,
  /** Versions that did not keep it send none. */
  made: optional(v.object({ ...sharedOrigin.entries, maker: v.picklist(QUIZ_MAKERS) })),
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
    v.maxLength(MAX_QUESTIONS),
  ),
});

/** A quiz's questions; what was chosen in it is each member's own. */
export const quizSync: EntitySync = {
  toSend(local, id) {
    const row = local.sql.get('SELECT * FROM quizzes WHERE id = ?', id);
    if (row === undefined) return removedEntity(local, 'quiz', id);
    const questions = readOptionalJson(storedQuestions, row['questions'])?.map(
      ({ citation, ...question }) => ({
        ...question,
        cited: citation && portableCited(local, citation),
      }),
    );
    if (questions === undefined) return undefined;
    const of = originToSend(local, row);
    const origin = of && { ...of, maker: row['maker'] };
    const value = pack({ title: row['title'], madeAt: row['made_at'], made: origin, questions });
    return { id, within: '', base: findBase(local, 'quiz', id)?.revision ?? 0, value };
  },
  take(local, { id, value, revision }) {
    if (value === undefined) {
      dropBase(local, 'quiz', id);
      local.sql.run('DELETE FROM quizzes WHERE id = ?', id);
      return true;
    }
    const theirs = v.parse(sharedQuiz, unpack(value));
    const questions = theirs.questions.map(({ cited, ...question }) => ({
      ...question,
      citation: cited && citationHere(local, cited),
    }));
    const before = local.sql.get('SELECT questions, replies FROM quizzes WHERE id = ?', id);
    const replies = repliesAfter(
      {
        questions: readOptionalJson(storedQuestions, before?.['questions']) ?? [],
        replies: readOptionalJson(storedReplies, before?.['replies']) ?? [],
      },
      questions,
    );
    local.sql.run(
      `INSERT INTO quizzes (id, title, questions, replies, made_at, source_ids, made_of, maker)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, questions = excluded.questions,
         replies = excluded.replies, source_ids = iif(excluded.maker IS NULL, source_ids, excluded.source_ids),
         made_of = coalesce(excluded.made_of, made_of), maker = coalesce(excluded.maker, maker)`,
      ...[id, theirs.title, JSON.stringify(questions), JSON.stringify(replies)],
      ...[
        Math.min(theirs.madeAt, Date.now()),
        ...originColumns(local, theirs.made),
        theirs.made?.maker ?? null,
      ],
    );
    keepBase(local, 'quiz', id, { revision, value });
    return true;
  },
};
