// @ts-expect-error It comes without types.
import load from 'tesseract.js-core/tesseract-core-simd-lstm.js';

/** What is used of Tesseract as WebAssembly. */
export interface TesseractApi {
  /** 0 where the languages could be loaded. */
  Init(path: null, languages: string, mode: number): number;
  SetVariable(name: string, value: string): boolean;
  /** Takes the picture at `/input`, turned clockwise by an angle; 1 where it is none. */
  SetImageFile(exifOrientation: number, radians: number): number;
  FindLines(): void;
  GetGradient(): number;
  Recognize(monitor: null): number;
  GetJSONText(): string;
  Clear(): void;
  End(): void;
}

export interface TesseractModule {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly TessBaseAPI: new () => TesseractApi;
}

interface Options {
  readonly wasmBinary: Uint8Array;
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
}

/** Starts the program. */
export const loadCore = load as (options: Options) => Promise<TesseractModule>;
