import type { Product, ProductEntry } from '../model/project.ts';
import type { Row } from '../../../index/store/database/database.ts';
import { readJson } from '../../../index/store/database/stored-json.ts';
import {
  storedCheck,
  storedCorrection,
  storedHolder,
  LOST_HOLDER,
  NOTHING_CHECKED,
  readCited,
} from './stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/** Number of UTF-16 code units of a result that are read for its beginning, and maximum length of that. */
const LOOKED_AT = 600;
const MAX_OPENING_LENGTH = 160;

/** Returns a result of a research project by its ID; undefined if it doesn't exist. */
export function findProduct(sql: Statements, researchId: string, productId: string): Product | undefined {
  const row = sql.get(
    'SELECT * FROM research_products WHERE research_id = ? AND id = ?',
    researchId,
    productId,
  );
  return row && toProduct(row);
}

/** Returns the list entries of a research project's results, in the order of their steps. */
export function productEntries(sql: Statements, researchId: string): ProductEntry[] {
  return sql
    .all(
      `SELECT p.id, p.step_id, p.checked, p.made_by, p.made_at, substr(p.text, 1, ${String(LOOKED_AT)}) AS beginning,
         CASE WHEN json_valid(p.citations) THEN json_array_length(p.citations) ELSE 0 END AS cited
       FROM research_products p LEFT JOIN research_steps s ON s.research_id = p.research_id AND s.id = p.step_id
       WHERE p.research_id = ? ORDER BY s.place, p.rowid`,
      researchId,
    )
    .map((row) => ({
      id: String(row['id']),
      stepId: String(row['step_id']),
      begins: plainBeginning(String(row['beginning'])),
      citations: Number(row['cited']),
      ...making(row),
    }));
}

/** Stores a result, and replaces an existing one. `pair` is the hash of its step, if others may reuse the result. */
export function writeProduct(
  sql: Statements,
  researchId: string,
  stepId: string,
  product: Product,
  pair: string | undefined,
): void {
  sql.replace('research_products', {
    research_id: researchId,
    id: product.id,
    step_id: stepId,
    text: product.text,
    statements: JSON.stringify(product.statements),
    citations: JSON.stringify(product.citations),
    checked: JSON.stringify({ ...product.check, beforeCorrection: product.beforeCorrection }),
    made_by: JSON.stringify(product.createdBy),
    made_at: Math.trunc(product.createdAt),
    pair,
  });
}

/** Converts a row to a result. */
export function toProduct(row: Row): Product {
  const text = String(row['text']);
  const { beforeCorrection } = readJson(storedCorrection, row['checked'], {});
  return {
    id: String(row['id']),
    text,
    ...readCited(text, row['statements'], row['citations']),
    ...making(row),
    ...(beforeCorrection && { beforeCorrection }),
  };
}

function making(row: Row): Pick<Product, 'check' | 'createdAt' | 'createdBy'> {
  return {
    check: readJson(storedCheck, row['checked'], NOTHING_CHECKED),
    createdBy: readJson(storedHolder, row['made_by'], LOST_HOLDER),
    createdAt: Number(row['made_at']),
  };
}

/** Returns the beginning of a text without the Markdown marks at the start of its lines: `Figures` for `## Figures`. */
function plainBeginning(text: string): string {
  const words = text
    .slice(0, LOOKED_AT)
    .split('\n')
    .map((line) => line.trim().replace(/^[#>*+|-]{1,6}\s*/, ''))
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (words.length <= MAX_OPENING_LENGTH) return words;
  return `${words.slice(0, MAX_OPENING_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
