/** Style sheets are bundled beside the script that imports them. */
declare module '*.css';

/** What VS Code hands every webview, once. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;
