import type { MapNode, MapArtifactKind, NoteArtifactKind } from '../../../core/domain/artifact.ts';
import { cloze } from './cloze.ts';
import { conceptMap } from './concept-map.ts';
import { tables } from './collected-tables.ts';
import { glossary } from './glossary.ts';
import { mindMap } from './outline.ts';
import type { ArtifactGenerator, Sheet } from './sheet.ts';
import { slides } from './slides.ts';
import { termIndex } from './term-index.ts';
import { timeline } from './timeline.ts';

/** Generators of notes. */
export const noteGenerators: Readonly<Record<NoteArtifactKind, ArtifactGenerator<Sheet>>> = {
  glossary,
  timeline,
  index: termIndex,
  tables,
  cloze,
  slides,
};

/** Generators of maps. */
export const mapGenerators: Readonly<
  Record<MapArtifactKind, ArtifactGenerator<{ readonly nodes: readonly MapNode[]; readonly omitted: number }>>
> = { mindMap, conceptMap };
