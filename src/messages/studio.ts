import type { DocumentPlace, MadeDifference, MapThing, StudioMap, StudioScope } from '../notebook/studio.ts';

/** Kept by a map's page as its state, by which it is restored after a reload. */
export interface MapState extends StudioScope {
  readonly thing: MapThing;
  /** The key of the notebook that it is of. */
  readonly notebook: string;
}

/** A map to show. */
export interface MapView extends MapState {
  readonly title: string;
  /** Which sources it is of, in their versions, as a sentence. */
  readonly of: string;
  readonly map: StudioMap;
}

/** What a map's page asks of the extension. */
export interface StudioHostApi {
  readonly ready: () => MapView;
  /** Opens words of a document. */
  readonly open: (params: { readonly place: DocumentPlace; readonly beside: boolean }) => void;
  /** Makes the map anew of what the sources are now. */
  readonly bringUpToDate: () => MapView;
  readonly saveSvg: (params: { readonly svg: string }) => void;
  readonly openMarkdown: () => void;
}

/** What the extension tells a map's page. */
export interface StudioPageApi {
  /** The sources differ from what the map was made of; by nothing, where they are the same again. */
  readonly changed: (params: { readonly difference: MadeDifference }) => void;
}
