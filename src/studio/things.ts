import type { MapNode, MapThing, NoteThing } from '../notebook/studio.ts';
import { cloze } from './cloze-cards.ts';
import { conceptMap } from './concept-map.ts';
import { tables } from './collected-tables.ts';
import { glossary } from './glossary.ts';
import { mindMap } from './outline.ts';
import type { Making, Sheet } from './sheet.ts';
import { slides } from './slides.ts';
import { termIndex } from './term-index.ts';
import { timeline } from './timeline.ts';

/** Generators of notes. */
export const notesMade: Readonly<Record<NoteThing, Making<Sheet>>> = {
  glossary,
  timeline,
  index: termIndex,
  tables,
  cloze,
  slides,
};

/** Generators of maps. */
export const mapsMade: Readonly<
  Record<MapThing, Making<{ readonly nodes: readonly MapNode[]; readonly omitted: number }>>
> = { mindMap, conceptMap };
