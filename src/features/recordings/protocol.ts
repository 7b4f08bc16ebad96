import type { Span } from '../../core/language/span.ts';
import type { RecordingChapter, RecordingCodecs } from '../../core/domain/recordings.ts';

/** State of the player, which restores it after a reload. */
export type PlayerState = (
  | {
      readonly documentId: number;
      /** Key of the notebook that contains the document. */
      readonly notebook: string;
    }
  /** URI of a recording that is in no notebook. */
  | { readonly file: string }
) & {
  /** Position, in seconds. */
  readonly at?: number | undefined;
};

/** Recording and its transcript, with the text to mark. */
export interface PlayerView {
  readonly state: PlayerState;
  readonly title: string;
  /** URL from which the page plays the recording; undefined if the file isn't on this machine. */
  readonly media: string | undefined;
  /** Address of the page that plays the video; undefined for a file. */
  readonly page: string | undefined;
  readonly isVideo: boolean;
  readonly codecs: RecordingCodecs;
  /** Duration in seconds; undefined if it's unknown. */
  readonly duration: number | undefined;
  readonly text: string;
  /** Parts of the text: their offsets, and when they are spoken, in seconds. */
  readonly starts: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Chapters in order of time. */
  readonly chapters: readonly RecordingChapter[];
  /** Titles in the transcript, and the offsets at which they are shown. */
  readonly headings: readonly { readonly start: number; readonly title: string }[];
  readonly mark: Span | undefined;
  /** `true` if the speakers can be renamed and chapters be generated. */
  readonly canChange: boolean;
  /** `true` if a model generated chapters for recordings of its source. */
  readonly hasGeneratedChapters: boolean;
  /** `true` if parts can be saved in notes. */
  readonly canSaveClips: boolean;
}

/** Requests of the player to the extension. */
export interface PlayerHostApi {
  readonly ready: () => PlayerView;
  /** Reports that the user used the mouse or the keyboard in the page. */
  readonly used: () => void;
  /** Opens the recording with the system's default program. */
  readonly openFile: () => void;
  /** Opens the page of the video at a time, in seconds. */
  readonly openPage: (params: { readonly seconds: number }) => void;
  /** Saves a part of the transcript in a note, with a link to its time. */
  readonly saveClip: (params: { readonly span: Span }) => void;
  /** Has a model propose chapters after the user agreed. */
  readonly generateChapters: () => void;
  /** Removes the generated chapters after the user confirmed it. */
  readonly removeChapters: () => void;
  /** Asks for new names of the speakers. */
  readonly renameSpeakers: () => void;
}

/** Requests of the extension to the player. */
export interface PlayerApi {
  readonly reveal: (params: { readonly mark: Span }) => void;
  /** Shows the transcript after it changed. */
  readonly update: (params: { readonly view: PlayerView }) => void;
}
