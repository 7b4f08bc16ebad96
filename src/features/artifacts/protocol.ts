import type {
  DocumentPlace,
  SourceDrift,
  MapArtifactKind,
  ArtifactMap,
  ArtifactScope,
} from '../../core/domain/artifact.ts';

/** State of a map's page. */
export interface MapState extends ArtifactScope {
  readonly kind: MapArtifactKind;
  /** Key of its notebook. */
  readonly notebook: string;
}

/** State of a map's page in the form that VS Code stores, which restores it after a reload. */
export interface StoredMapState extends Omit<MapState, 'kind'> {
  readonly thing: MapArtifactKind;
}

export interface MapView extends MapState {
  readonly title: string;
  /** Sources of the map and their versions, as a sentence. */
  readonly of: string;
  readonly map: ArtifactMap;
}

/** Requests of a map's page to the extension. */
export interface MapHostApi {
  readonly ready: () => MapView;
  /** Opens a document at a location. */
  readonly open: (params: { readonly place: DocumentPlace; readonly beside: boolean }) => void;
  /** Regenerates the map from the current sources. */
  readonly updateFromSources: () => MapView;
  readonly saveSvg: (params: { readonly svg: string }) => void;
  readonly openMarkdown: () => void;
}

/** Requests of the extension to a map's page. */
export interface MapPageApi {
  /** Reports how the sources differ from those of the map; all counts are 0 once they are equal again. */
  readonly changed: (params: { readonly difference: SourceDrift }) => void;
}
