import * as v from 'valibot';
import {
  amount,
  count,
  integer,
  isAmong,
  json,
  maybe,
  or,
  text,
  type RecoverableRows,
} from '../../../index/store/database/column-rules.ts';
import { storedScope, storedTexts } from '../../../index/store/database/stored-json.ts';
import {
  LOST_HOLDER,
  LOST_OPTIONS,
  NOTHING_CHECKED,
  storedBounds,
  storedCheck,
  storedEvent,
  storedHolder,
  storedMemory,
  storedObjections,
  storedOptions,
  storedPlan,
  storedResearchState,
  storedStep,
} from './stored-json.ts';

/** Research projects in a damaged database. */
export const recoverableResearches: RecoverableRows = {
  rules: {
    researches: {
      id: text,
      goal: text,
      state: or({ fits: (value) => v.is(storedResearchState, value) }, 'paused'),
      reason: maybe(text),
      created_at: or(integer, 0),
      changed_at: or(integer, 0),
      revision: or(count, 1),
      scope: maybe(json(storedScope)),
      bounds: or(json(storedBounds), '{}'),
      options: or(json(storedOptions), JSON.stringify(LOST_OPTIONS)),
      objections: or(json(storedObjections), '[]'),
      memories: or(json(storedTexts), '[]'),
      report: maybe(text),
      plan_version: or(count, 1),
      plan_number: or(count, 0),
      dollars: or(amount, 0),
      tokens: or(count, 0),
      time: or(count, 0),
      requests: or(count, 0),
      tool_calls: or(count, 0),
      recorded: or(count, 0),
      forgotten: or(count, 0),
    },
    research_plans: { research_id: text, number: count, plan: json(storedPlan) },
    research_steps: {
      research_id: text,
      id: text,
      place: maybe(count),
      step: json(storedStep),
      state: or(isAmong(['open', 'in-progress', 'done', 'failed']), 'open'),
      holder: maybe(json(storedHolder)),
      token: maybe(text),
      held_until: maybe(integer),
      attempts: or(count, 0),
      reason: maybe(text),
      draft: or(text, ''),
      same_as: maybe(text),
      is_anew: or(count, 0),
      pair: maybe(text),
      started_at: maybe(integer),
      ended_at: maybe(integer),
    },
    research_products: {
      research_id: text,
      id: text,
      step_id: or(text, ''),
      text,
      statements: or(json(v.array(v.unknown())), '[]'),
      citations: or(json(v.array(v.unknown())), '[]'),
      checked: or(json(storedCheck), JSON.stringify(NOTHING_CHECKED)),
      made_by: or(json(storedHolder), JSON.stringify(LOST_HOLDER)),
      made_at: or(integer, 0),
      pair: maybe(text),
    },
    research_comments: {
      id: text,
      research_id: text,
      step_id: maybe(text),
      text,
      written_at: or(integer, 0),
      is_heard: or(count, 0),
    },
    research_memories: { id: text, memory: json(storedMemory), kept_at: or(integer, 0) },
    research_records: {
      id: count,
      research_id: text,
      step_id: maybe(text),
      at: or(integer, 0),
      event: json(storedEvent),
    },
  },
  restore: (title) => `
    INSERT INTO researches (id, goal, state, created_at, changed_at, bounds, options, plan_version)
      SELECT DISTINCT research_id, ${title}, 'paused', 0, 0, '{}', '${JSON.stringify(LOST_OPTIONS)}', 1
      FROM (SELECT research_id FROM research_plans UNION ALL SELECT research_id FROM research_steps
        UNION ALL SELECT research_id FROM research_products)
      WHERE research_id NOT IN (SELECT id FROM researches);
    UPDATE researches SET plan_number =
        coalesce((SELECT max(number) FROM research_plans p WHERE p.research_id = researches.id), 0)
      WHERE NOT EXISTS (
        SELECT 1 FROM research_plans p WHERE p.research_id = researches.id AND p.number = plan_number);
    -- Restores lost steps from the plan.
    INSERT OR IGNORE INTO research_steps (research_id, id, place, step)
      SELECT r.id, s.value ->> '$.id', s.key, s.value FROM researches r
      JOIN research_plans p ON p.research_id = r.id AND p.number = r.plan_number, json_each(p.plan, '$.steps') s
      WHERE s.value ->> '$.id' IS NOT NULL;
    UPDATE research_steps SET state = iif(
        EXISTS (SELECT 1 FROM research_products p
          WHERE p.research_id = research_steps.research_id AND p.id = step ->> '$.produces'),
        'done', iif(state = 'done', 'open', state));
    UPDATE research_steps SET token = NULL, held_until = NULL WHERE state <> 'in-progress';
    DELETE FROM research_comments WHERE research_id NOT IN (SELECT id FROM researches);
    DELETE FROM research_records WHERE research_id NOT IN (SELECT id FROM researches);`,
};
