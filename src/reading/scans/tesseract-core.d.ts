/** What is used of Tesseract as WebAssembly, which comes without types. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export interface TessBaseAPI {
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
    readonly FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
    readonly TessBaseAPI: new () => TessBaseAPI;
  }
  const load: (options: {
    readonly wasmBinary: Uint8Array;
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
  }) => Promise<TesseractModule>;
  export default load;
}
